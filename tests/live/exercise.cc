// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <infiniband/verbs.h>
#include <map>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/**
 * @file
 * A verbs program that does, one scenario after its name, what the tests of the recorder want to
 * see in a trace: "live-exercise <scenario>". What it did it prints, so that a test can compare.
 */
namespace
{

[[noreturn]] void
Fail(const char* what)
{
    perror(what);
    exit(1);
}

/** A device, and two queue pairs that are connected with each other. */
struct Pair
{
    ibv_context* context;
    ibv_pd* domain;
    ibv_mr* region;
    ibv_cq* queue;
    ibv_qp* first;
    ibv_qp* second;
    alignas(64) char memory[65536];
};

void
Connect(ibv_qp* queuePair, uint32_t peer)
{
    ibv_qp_attr attributes{};
    attributes.qp_state = IBV_QPS_INIT;
    attributes.port_num = 1;
    attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    ibv_modify_qp(queuePair,
                  &attributes,
                  IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    attributes.qp_state = IBV_QPS_RTR;
    attributes.path_mtu = IBV_MTU_1024;
    attributes.dest_qp_num = peer;
    attributes.ah_attr.is_global = 1;
    attributes.ah_attr.port_num = 1;
    attributes.ah_attr.grh.dgid.raw[15] = 9;
    ibv_modify_qp(queuePair,
                  &attributes,
                  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                      IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    attributes.qp_state = IBV_QPS_RTS;
    attributes.sq_psn = 1234;
    ibv_modify_qp(queuePair,
                  &attributes,
                  IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

ibv_context*
Open()
{
    ibv_device** devices = ibv_get_device_list(nullptr);
    ibv_context* context = devices == nullptr ? nullptr : ibv_open_device(devices[0]);
    if (context == nullptr)
    {
        Fail("no device");
    }
    ibv_free_device_list(devices);
    return context;
}

Pair&
MakePair(ibv_srq* shared = nullptr, ibv_cq* queue = nullptr, ibv_context* context = nullptr)
{
    auto& pair = *new Pair{};
    pair.context = context == nullptr ? Open() : context;
    pair.domain = ibv_alloc_pd(pair.context);
    pair.region = ibv_reg_mr(pair.domain,
                             pair.memory,
                             sizeof(pair.memory),
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    pair.queue = queue == nullptr ? ibv_create_cq(pair.context, 100, nullptr, nullptr, 0) : queue;
    ibv_qp_init_attr attributes{};
    attributes.send_cq = attributes.recv_cq = pair.queue;
    attributes.srq = shared;
    attributes.qp_type = IBV_QPT_RC;
    attributes.cap = {.max_send_wr = 8,
                      .max_recv_wr = 8,
                      .max_send_sge = 3,
                      .max_recv_sge = 3,
                      .max_inline_data = 64};
    pair.first = ibv_create_qp(pair.domain, &attributes);
    pair.second = ibv_create_qp(pair.domain, &attributes);
    Connect(pair.first, pair.second->qp_num);
    Connect(pair.second, pair.first->qp_num);
    return pair;
}

ibv_sge
Element(Pair& pair, size_t offset, uint32_t length)
{
    return {reinterpret_cast<uintptr_t>(pair.memory) + offset, length, pair.region->lkey};
}

void
Receive(Pair& pair, ibv_qp* queuePair, uint64_t id)
{
    ibv_sge element = Element(pair, 1024, 512);
    ibv_recv_wr request{.wr_id = id, .next = nullptr, .sg_list = &element, .num_sge = 1};
    ibv_recv_wr* bad = nullptr;
    if (ibv_post_recv(queuePair, &request, &bad) != 0)
    {
        Fail("ibv_post_recv");
    }
}

ibv_send_wr
Request(ibv_sge* elements, int count, ibv_wr_opcode opcode, uint64_t id)
{
    ibv_send_wr request{};
    request.wr_id = id;
    request.sg_list = elements;
    request.num_sge = count;
    request.opcode = opcode;
    request.send_flags = IBV_SEND_SIGNALED;
    return request;
}

int
Post(ibv_qp* queuePair, ibv_send_wr& request)
{
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(queuePair, &request, &bad);
}

int
Drain(ibv_cq* queue)
{
    ibv_wc entries[8];
    int all = 0;
    for (int found = 1; found > 0; all += found)
    {
        found = ibv_poll_cq(queue, 8, entries);
    }
    return all;
}

void
SendOne(Pair& pair, uint64_t id, uint32_t bytes)
{
    Receive(pair, pair.second, id);
    ibv_sge element = Element(pair, 0, bytes);
    ibv_send_wr request = Request(&element, 1, IBV_WR_SEND, id);
    Post(pair.first, request);
    if (Drain(pair.queue) != 2)
    {
        Fail("two completions were expected");
    }
}

/** Each opcode once, with all that it carries. */
void
Opcodes()
{
    Pair& pair = MakePair();
    ibv_sge elements[3] = {Element(pair, 0, 8), Element(pair, 16, 100), Element(pair, 256, 1000)};
    const auto remote = reinterpret_cast<uintptr_t>(pair.memory) + 32768;
    ibv_send_wr write = Request(elements, 3, IBV_WR_RDMA_WRITE, 1);
    write.wr.rdma = {remote, pair.region->rkey};
    ibv_send_wr immediate = Request(elements, 2, IBV_WR_RDMA_WRITE_WITH_IMM, 2);
    immediate.imm_data = htonl(0xa1b2c3d4);
    immediate.wr.rdma = {remote + 8, pair.region->rkey};
    ibv_send_wr send = Request(elements, 1, IBV_WR_SEND_WITH_IMM, 3);
    send.imm_data = htonl(77);
    send.send_flags |= IBV_SEND_INLINE | IBV_SEND_SOLICITED;
    ibv_send_wr read = Request(elements + 1, 1, IBV_WR_RDMA_READ, 4);
    read.wr.rdma = {remote, pair.region->rkey};
    ibv_send_wr swap = Request(elements, 1, IBV_WR_ATOMIC_CMP_AND_SWP, 5);
    swap.wr.atomic = {remote, 0x1111111122222222, 0x3333333344444444, pair.region->rkey};
    ibv_send_wr add = Request(elements, 1, IBV_WR_ATOMIC_FETCH_AND_ADD, 6);
    add.wr.atomic = {remote, 0x55, 0, pair.region->rkey};
    ibv_send_wr invalidate = Request(elements, 1, IBV_WR_SEND_WITH_INV, 7);
    invalidate.invalidate_rkey = 0xbeef;
    Receive(pair, pair.second, 101);
    Receive(pair, pair.second, 102);
    Receive(pair, pair.second, 103);
    write.next = &immediate;
    immediate.next = &send;
    Post(pair.first, write);
    Post(pair.first, read);
    Post(pair.first, swap);
    Post(pair.first, add);
    Post(pair.first, invalidate);
    printf("%lu %u %u %d\n", remote, pair.region->lkey, pair.region->rkey, Drain(pair.queue));
}

/** More requests than the queue holds: the last ones are refused. */
void
Refused()
{
    Pair& pair = MakePair();
    ibv_sge element = Element(pair, 0, 16);
    ibv_send_wr requests[12];
    for (int i = 0; i < 12; ++i)
    {
        requests[i] = Request(&element, 1, IBV_WR_SEND, static_cast<uint64_t>(i));
        requests[i].next = i == 11 ? nullptr : &requests[i + 1];
    }
    ibv_send_wr* bad = nullptr;
    const int result = ibv_post_send(pair.first, requests, &bad);
    printf("%d %lu\n", result, bad->wr_id);
}

void
Shared()
{
    ibv_context* context = Open();
    ibv_pd* domain = ibv_alloc_pd(context);
    ibv_srq_init_attr attributes{};
    attributes.attr = {.max_wr = 32, .max_sge = 2, .srq_limit = 0};
    ibv_srq* shared = ibv_create_srq(domain, &attributes);
    Pair& pair = MakePair(shared, nullptr, context);
    ibv_sge element = Element(pair, 1024, 512);
    ibv_recv_wr second{.wr_id = 2, .next = nullptr, .sg_list = &element, .num_sge = 1};
    ibv_recv_wr first{.wr_id = 1, .next = &second, .sg_list = &element, .num_sge = 1};
    ibv_recv_wr* bad = nullptr;
    ibv_post_srq_recv(shared, &first, &bad);
    ibv_srq_attr limit{.max_wr = 0, .max_sge = 0, .srq_limit = 5};
    ibv_modify_srq(shared, &limit, IBV_SRQ_LIMIT);
    ibv_sge source = Element(pair, 0, 300);
    ibv_send_wr request = Request(&source, 1, IBV_WR_SEND, 9);
    Post(pair.first, request);
    Post(pair.second, request);
    printf("%d\n", Drain(pair.queue));
    ibv_destroy_qp(pair.first);
    ibv_destroy_qp(pair.second);
    ibv_destroy_srq(shared);
}

/** Extended completion queues and the newer calls for posting. */
void
Extended()
{
    ibv_context* context = Open();
    ibv_cq_init_attr_ex attributes{};
    attributes.cqe = 64;
    attributes.wc_flags = 0;
    ibv_cq_ex* queue = ibv_create_cq_ex(context, &attributes);
    ibv_poll_cq_attr none{};
    ibv_pd* domain = ibv_alloc_pd(context);
    ibv_qp_init_attr_ex wanted{};
    wanted.send_cq = wanted.recv_cq = ibv_cq_ex_to_cq(queue);
    wanted.qp_type = IBV_QPT_RC;
    wanted.cap = {16, 16, 4, 4, 64};
    wanted.pd = domain;
    wanted.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    wanted.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM;
    ibv_qp* first = ibv_create_qp_ex(context, &wanted);
    ibv_qp* second = ibv_create_qp_ex(context, &wanted);
    Connect(first, second->qp_num);
    Connect(second, first->qp_num);
    Pair pair{};
    pair.region = ibv_reg_mr(domain, pair.memory, sizeof(pair.memory), IBV_ACCESS_LOCAL_WRITE);
    Receive(pair, second, 201);
    Receive(pair, second, 202);
    ibv_qp_ex* extended = ibv_qp_to_qp_ex(first);
    const auto remote = reinterpret_cast<uintptr_t>(pair.memory) + 4096;
    int polls = ibv_start_poll(queue, &none) == ENOENT ? 1 : 0;
    ibv_wr_start(extended);
    extended->wr_id = 1;
    extended->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_write_imm(extended, pair.region->rkey, remote, htonl(4711));
    ibv_wr_set_sge(extended, pair.region->lkey, reinterpret_cast<uintptr_t>(pair.memory), 600);
    extended->wr_id = 2;
    ibv_wr_send(extended);
    char data[] = "inline";
    ibv_wr_set_inline_data(extended, data, sizeof(data));
    extended->wr_id = 3;
    ibv_wr_atomic_fetch_add(extended, pair.region->rkey, remote, 5);
    ibv_wr_set_sge(extended, pair.region->lkey, reinterpret_cast<uintptr_t>(pair.memory), 8);
    ibv_wr_complete(extended);
    ibv_wr_start(extended);
    ibv_wr_send(extended);
    ibv_wr_abort(extended);
    int found = 0;
    if (ibv_start_poll(queue, &none) == 0)
    {
        do
        {
            ++found;
        } while (ibv_next_poll(queue) == 0);
        ibv_end_poll(queue);
    }
    printf("%lu %d %d\n", remote, polls, found);
}

void
Windows()
{
    Pair& pair = MakePair();
    ibv_mw* window = ibv_alloc_mw(pair.domain, IBV_MW_TYPE_1);
    ibv_mw_bind bind{};
    bind.wr_id = 5;
    bind.send_flags = IBV_SEND_SIGNALED;
    bind.bind_info = {
        pair.region, reinterpret_cast<uintptr_t>(pair.memory), 4096, IBV_ACCESS_REMOTE_WRITE};
    ibv_bind_mw(pair.first, window, &bind);
    printf("%u %d\n", window->rkey, Drain(pair.queue));
    ibv_dealloc_mw(window);
}

/** Registration, again, and away. */
void
Regions()
{
    Pair& pair = MakePair();
    ibv_rereg_mr(pair.region, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, pair.memory, 128, 0);
    ibv_mr* second = ibv_reg_mr_iova2(pair.domain, pair.memory, 256, 0x10000, 0);
    printf("%u %u\n", pair.region->lkey, second->lkey);
    ibv_dereg_mr(second);
    ibv_dereg_mr(pair.region);
}

/** Parent and child, both with a pair of their own and the parent's. */
void
Fork()
{
    Pair& pair = MakePair();
    SendOne(pair, 1, 100);
    const pid_t child = fork();
    if (child == 0)
    {
        Pair& own = MakePair();
        SendOne(own, 2, 200);
        SendOne(own, 3, 200);
        exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    SendOne(pair, 4, 400);
    printf("%d %d\n", child, WEXITSTATUS(status));
}

/** Threads one after the other and at once, each with a pair of its own. */
void
Threads()
{
    constexpr int ROUNDS = 3;
    constexpr int AT_ONCE = 4;
    for (int round = 0; round < ROUNDS; ++round)
    {
        std::vector<std::thread> threads;
        for (int i = 0; i < AT_ONCE; ++i)
        {
            threads.emplace_back(
                [i]()
                {
                    Pair& pair = MakePair();
                    for (int n = 0; n <= i * 10; ++n)
                    {
                        SendOne(pair, static_cast<uint64_t>(n), 64);
                    }
                });
        }
        for (std::thread& thread : threads)
        {
            thread.join();
        }
    }
}

/** Ends while a thread goes on. */
void
Running(const std::function<void()>& end)
{
    constexpr int FEW = 100;
    static std::atomic<int> sent{0};
    std::thread(
        []()
        {
            Pair& pair = MakePair();
            while (true)
            {
                SendOne(pair, 1, 64);
                usleep(++sent < FEW ? 0 : 1000);
            }
        })
        .detach();
    while (sent < FEW)
    {
        usleep(100);
    }
    printf("%d\n", sent.load());
    fflush(stdout);
    end();
}

/** Many operations: a trace of a megabyte, the beginning of which has been written early. */
void
Many(Pair& pair, int count)
{
    constexpr int FEW = 100;
    constexpr useconds_t UNTIL_WRITTEN_US = 1000000;
    for (int i = 0; i < count; ++i)
    {
        SendOne(pair, static_cast<uint64_t>(i) * 0x123456789, 64);
        if (i == FEW)
        {
            usleep(UNTIL_WRITTEN_US);
        }
    }
    printf("%d\n", count);
}

/** Direct verbs: the vendor's library is there on any machine with libibverbs' providers. */
void
Direct()
{
    void* library = dlopen("libmlx5.so.1", RTLD_NOW);
    auto* init = reinterpret_cast<int (*)(void*, uint64_t)>(dlsym(RTLD_DEFAULT, "mlx5dv_init_obj"));
    if (library == nullptr || init == nullptr)
    {
        Fail("mlx5dv_init_obj");
    }
    MakePair();
    struct
    {
        void* objects[12];
    } empty{};
    printf("%d %d\n", init(&empty, 0), init(&empty, 0));
}

} // namespace

int
main(int argc, char** argv)
{
    const std::map<std::string, std::function<void()>> scenarios{
        {"opcodes", Opcodes},
        {"refused", Refused},
        {"shared", Shared},
        {"extended", Extended},
        {"windows", Windows},
        {"regions", Regions},
        {"fork", Fork},
        {"threads", Threads},
        {"running-exit", []() { Running([]() { exit(3); }); }},
        {"running-_exit", []() { Running([]() { _exit(4); }); }},
        {"running-quick", []() { Running([]() { quick_exit(5); }); }},
        {"killed",
         []()
         {
             Running(
                 []()
                 {
                     usleep(1000000);
                     kill(getpid(), SIGKILL);
                 });
         }},
        {"many", []() { Many(MakePair(), 20000); }},
        {"limited",
         []()
         {
             Pair& pair = MakePair(); // whose device has a large file
             const rlimit limit{100000, 100000};
             setrlimit(RLIMIT_FSIZE, &limit);
             Many(pair, 20000);
         }},
        {"direct", Direct},
        {"nothing", []() {}},
    };
    const auto scenario = argc == 2 ? scenarios.find(argv[1]) : scenarios.end();
    if (scenario == scenarios.end())
    {
        fprintf(stderr, "usage: live-exercise <scenario>\n");
        return 2;
    }
    scenario->second();
    return 0;
}
