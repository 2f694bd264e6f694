package io.manafold.benchmark;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;

/** A stream from one endpoint of ours to another. */
final class OwnStream extends OwnEnds {
    private final Received received = new Received();
    private long sent;
    private int out;

    OwnStream(TcpCase what, String transport, Knobs knobs) throws InterruptedException {
        super(what, transport, knobs);
    }

    @Override
    void at(Completions come, int index, ReceivePool pool) {
        if (come.has(index, Completions.POOLED)) {
            received.add(come.length(index));
            pool.giveBack(come.buffer(index));
        }
    }

    @Override
    Slice work(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        long cpu = Cpu.nanos();
        long sends = queues.systemCalls();
        long receives = farQueues.systemCalls();
        long before = sent;
        int burst = what.burst();
        while (true) {
            boolean over = System.nanoTime() - begin >= millis * 1_000_000;
            if (over && out == 0) {
                break;
            }
            if (!over && out < burst) {
                for (; out < 2 * burst && endpoint.sendRoom() > 0; out++) {
                    endpoint.send(region.key(), (long) (out % burst) * what.bytes(), what.bytes(), 0);
                }
                queues.submit();
            }
            int count = count();
            for (int i = 0; i < count; i++) {
                if (completions.operation(i) == Operation.SEND) {
                    check(i);
                    sent += completions.has(i, Completions.ACCEPTED) ? completions.length(i) : 0;
                    out -= completions.has(i, Completions.FREE) ? 1 : 0;
                }
            }
        }
        received.await(sent);
        return new Slice(sent - before, Cpu.nanos() - cpu, System.nanoTime() - begin, queues.systemCalls() - sends,
                farQueues.systemCalls() - receives, Double.NaN);
    }
}
