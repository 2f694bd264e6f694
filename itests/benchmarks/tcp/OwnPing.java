package io.manafold.benchmark;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.Operation;
import io.manafold.api.sockets.ReceivePool;

/** A message from one endpoint of ours to another and back. */
final class OwnPing extends OwnEnds {
    private final HalfTrips trips = new HalfTrips();

    OwnPing(TcpCase what, String transport, Knobs knobs) throws InterruptedException {
        super(what, transport, knobs);
    }

    @Override
    void at(Completions come, int index, ReceivePool pool) {
        if (come.has(index, Completions.POOLED)) {
            // it goes back from where it has come to
            come.endpoint(index).send(pool.region().key(), come.offset(index), (int) come.length(index),
                    come.buffer(index));
        } else if (come.operation(index) == Operation.SEND && come.has(index, Completions.FREE)) {
            pool.giveBack((int) come.tag(index));
        }
    }

    @Override
    Slice work(long millis) throws InterruptedException {
        long cpu = Cpu.nanos();
        long sends = queues.systemCalls();
        long receives = farQueues.systemCalls();
        long begin = trips.begin();
        while (trips.now() - begin < millis * 1_000_000 && !trips.isFull()) {
            endpoint.receive(region.key(), 4096, what.bytes(), 1);
            endpoint.send(region.key(), 0, what.bytes(), 0);
            queues.submit();
            int got = 0;
            int free = 0;
            while (got < what.bytes() || free == 0) {
                int count = count();
                for (int i = 0; i < count; i++) {
                    check(i);
                    if (completions.operation(i) == Operation.RECEIVE) {
                        got += (int) completions.length(i);
                        if (got < what.bytes()) {
                            endpoint.receive(region.key(), 4096, what.bytes() - got, 1);
                            queues.submit();
                        }
                    } else {
                        free += completions.has(i, Completions.FREE) ? 1 : 0;
                    }
                }
            }
            trips.end();
        }
        long wall = System.nanoTime() - begin;
        long used = Cpu.nanos() - cpu;
        trips.close();
        return new Slice((long) what.bytes() * trips.count(), used, wall, queues.systemCalls() - sends,
                farQueues.systemCalls() - receives, 2 * trips.median());
    }
}
