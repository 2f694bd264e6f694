package io.manafold.netdev;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users above a device whose thread is the test's, unless another user is said to hold it. */
@Timeout(60)
class UserPortTest {
    private static final int ETHER_TYPE = 0x88b5;

    private final FakeThread thread = new FakeThread();
    private final PacketUsers users = new PacketUsers(thread, new CommandQueue("eth1", thread), new NoWayOut(),
            new PacketWatchers());
    private int calls;
    private int home;

    private static final class FakeThread implements DeviceThread {
        private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
        private volatile boolean held;

        void letGo() {
            held = false;
            while (!commands.isEmpty()) {
                commands.remove().run();
            }
        }

        @Override
        public boolean isCurrent() {
            return !held;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public void wake() {
            // the test works when it wants to
        }

        @Override
        public CommandLane lane() {
            return new CommandLane() {
                @Override
                public boolean execute(Runnable command) {
                    return commands.add(command);
                }

                @Override
                public boolean shut(Runnable last) {
                    return commands.add(last);
                }
            };
        }
    }

    private static final class NoWayOut implements PacketSender {
        @Override
        public int take(PacketBuffer[] into, int from, int count, String holder) {
            return 0;
        }

        @Override
        public int send(PacketBuffer[] packets, int from, int count) {
            return count;
        }
    }

    private final class Counting implements PacketUser {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public void receive(PacketBuffer[] packets, int count) {
            calls++;
        }

        @Override
        public int doWork() {
            calls++;
            return 1;
        }

        @Override
        public long restNanos() {
            calls++;
            return 0;
        }
    }

    private PacketBuffer[] packet() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        PacketHome counted = _ -> home++;
        PacketBuffer packet = new PacketBuffer(counted, memory, 0, 64, 0, 0);
        packet.place(0, 60);
        packet.put16(12, ETHER_TYPE);
        return new PacketBuffer[] {packet};
    }

    private void cycle() {
        users.deliver(packet(), 1);
        users.work();
        users.restNanos();
    }

    /** Neither a claim nor a filter nor the one for all packets. */
    @Test
    void aUserHasLeftThoughAnotherHoldsTheThread() throws InterruptedException {
        PacketPort claim = users.attach(new Counting(), ETHER_TYPE, "eth1");
        PacketPort all = users.attach(new Counting(), PacketUsers.ALL, "eth1");
        PacketPort filter = users.attach(new Counting(), _ -> {
            calls++;
            return true;
        }, "eth1");
        cycle();
        assertThat(calls).isEqualTo(8);
        thread.held = true;
        List<PacketPort> ports = List.of(claim, all, filter);
        List<Thread> leaving = ports.stream().map(port -> Thread.ofPlatform().daemon().start(port::close)).toList();
        for (Thread one : leaving) {
            one.join();
        }
        for (PacketPort port : ports) {
            assertThat(port.send(packet(), 0, 1)).as("sent by a user that has left").isZero();
            assertThat(port.execute(() -> calls++)).isFalse();
        }
        assertThat(thread.commands).as("all of them leave when the thread is let go").hasSize(3);
        calls = 0;
        cycle();
        assertThat(calls).as("calls of users that have left").isZero();
        assertThat(home).as("packets that no user takes").isEqualTo(1);
        assertThat(users.restNanos()).isEqualTo(DutyCycle.UNTIL_WOKEN);
        thread.letGo();
        assertThat(users.attach(new Counting(), PacketUsers.ALL, "eth1")).isNotNull();
    }
}
