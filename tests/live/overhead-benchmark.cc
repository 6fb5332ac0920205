// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <infiniband/verbs.h>
#include <string>
#include <unistd.h>

/**
 * @file
 * What the recorder adds to calls of a device that does nothing.
 *
 * Runs itself again with the recorder, and prints nanoseconds per call, the best of many rounds,
 * without, with, and the difference:
 *
 *     live-overhead-benchmark <fake device's library> <recorder's library>
 */
namespace
{

constexpr int ROUNDS = 200;
constexpr int CALLS = 5000;

double
Now()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/** Between rounds the writer has time to empty the ring, as it has in programs that wait. */
double
Best(const std::function<void()>& call)
{
    constexpr useconds_t PAUSE_US = 3000;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; ++round)
    {
        usleep(PAUSE_US);
        call();
        const double begin = Now();
        for (int i = 0; i < CALLS; ++i)
        {
            call();
        }
        best = std::min(best, (Now() - begin) / CALLS);
    }
    return best;
}

struct Result
{
    double send;
    double emptyPoll;
};

Result
Measure()
{
    ibv_device** devices = ibv_get_device_list(nullptr);
    ibv_context* context = ibv_open_device(devices[1]);
    ibv_pd* domain = ibv_alloc_pd(context);
    ibv_cq* queue = ibv_create_cq(context, 16, nullptr, nullptr, 0);
    ibv_qp_init_attr attributes{};
    attributes.send_cq = attributes.recv_cq = queue;
    attributes.qp_type = IBV_QPT_RC;
    ibv_qp* queuePair = ibv_create_qp(domain, &attributes);
    ibv_sge element{.addr = 0x1000, .length = 4096, .lkey = 7};
    ibv_send_wr request{};
    request.sg_list = &element;
    request.num_sge = 1;
    request.opcode = IBV_WR_RDMA_WRITE;
    ibv_send_wr* bad = nullptr;
    ibv_wc entry{};
    Result result{};
    result.send = Best(
        [&]()
        {
            ++request.wr_id;
            ibv_post_send(queuePair, &request, &bad);
        });
    result.emptyPoll = Best([&]() { ibv_poll_cq(queue, 1, &entry); });
    return result;
}

/** Runs this program again with libraries loaded before. */
Result
Run(const char* self, const std::string& libraries)
{
    const std::string command = "LD_PRELOAD='" + libraries + "' '" + self + "' measure";
    FILE* pipe = popen(command.c_str(), "r");
    Result result{};
    if (pipe == nullptr || fscanf(pipe, "%lf %lf", &result.send, &result.emptyPoll) != 2)
    {
        fprintf(stderr, "failed: %s\n", command.c_str());
        exit(1);
    }
    pclose(pipe);
    return result;
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "measure") == 0)
    {
        const Result result = Measure();
        printf("%f %f\n", result.send, result.emptyPoll);
        return 0;
    }
    if (argc != 3)
    {
        fprintf(stderr, "usage: live-overhead-benchmark <fake device> <recorder>\n");
        return 2;
    }
    const std::string fake = argv[1];
    char self[4096]{};
    static_cast<void>(!readlink("/proc/self/exe", self, sizeof(self) - 1));
    const Result plain = Run(self, fake);
    const Result recorded = Run(self, std::string{argv[2]} + " " + fake);
    printf("%-12s %8s %8s %8s\n", "ns per call", "without", "with", "added");
    printf("%-12s %8.1f %8.1f %8.1f\n",
           "post_send",
           plain.send,
           recorded.send,
           recorded.send - plain.send);
    printf("%-12s %8.1f %8.1f %8.1f\n",
           "empty poll",
           plain.emptyPoll,
           recorded.emptyPoll,
           recorded.emptyPoll - plain.emptyPoll);
    return 0;
}
