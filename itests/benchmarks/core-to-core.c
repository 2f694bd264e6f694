/*
 * How long a cache line takes from one processor to another and back.
 *
 *   core-to-core FIRST SECOND
 *
 * For each line on standard input it answers nanoseconds: the median of many short rounds, so that a round in which one
 * of the two threads had to wait for its processor does not count.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 101, TRIPS = 500 };

static struct { _Alignas(128) atomic_long ping; _Alignas(128) atomic_long pong; } lines;

static void stay(int processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *answer(void *processor)
{
    stay(*(int *)processor);
    for (long i = 1; i <= (long)ROUNDS * TRIPS; i++) {
        while (atomic_load_explicit(&lines.ping, memory_order_acquire) != i)
            ;
        atomic_store_explicit(&lines.pong, i, memory_order_release);
    }
    return 0;
}

static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int first = atoi(argv[1]), second = atoi(argv[2]);
    stay(first);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        double rounds[ROUNDS];
        pthread_t other;
        long trip = 0;
        lines.ping = lines.pong = 0;
        if (pthread_create(&other, 0, answer, &second))
            return 1;
        for (int round = 0; round < ROUNDS; round++) {
            double begin = now();
            for (int i = 0; i < TRIPS; i++) {
                trip++;
                atomic_store_explicit(&lines.ping, trip, memory_order_release);
                while (atomic_load_explicit(&lines.pong, memory_order_acquire) != trip)
                    ;
            }
            rounds[round] = (now() - begin) / TRIPS;
        }
        pthread_join(other, 0);
        qsort(rounds, ROUNDS, sizeof *rounds, order);
        printf("%.1f\n", rounds[ROUNDS / 2]);
        fflush(stdout);
    }
    return 0;
}
