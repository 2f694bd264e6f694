package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PacketPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames to a guest, from a device whose buffers may become shorter meanwhile. */
class GuestFloodTest {
    private static final int HEADROOM = 64;

    private final Device device = new Device();
    private final GuestFlood flood = GuestFlood.over((NetDevice) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {NetDevice.class}, (_, method, _) -> switch (method.getName()) {
                case "mac" -> new MacAddress(0x0200_0000_0001L);
                case "attach" -> device;
                default -> throw new UnsupportedOperationException(method.getName());
            }), new MacAddress(0x0200_0000_0002L));

    /** Has buffers of one size, and takes what it is given. */
    private static final class Device implements PacketPort, PacketHome {
        private int room = 1514;
        private boolean down;
        private int out;
        private int sent;
        /** What its thread does when it is woken. */
        private Runnable woken = () -> { };

        @Override
        public int take(PacketBuffer[] into, int from, int count) {
            for (int i = 0; i < count; i++) {
                int capacity = HEADROOM + room;
                into[from + i] = new PacketBuffer(this, MemorySegment.ofArray(new byte[capacity]), 0, capacity, 0, 0);
                into[from + i].place(HEADROOM, 0);
            }
            out += count;
            return count;
        }

        @Override
        public int send(PacketBuffer[] packets, int from, int count) {
            if (down) {
                return 0;
            }
            sent += count;
            PacketBuffer.release(packets, from, count);
            return count;
        }

        @Override
        public boolean execute(Runnable command) {
            return false;
        }

        @Override
        public void wake() {
            woken.run();
        }

        @Override
        public void close() {
        }

        @Override
        public void release(PacketBuffer buffer) {
            out--;
        }
    }

    @Test
    void buffersThatAreTooShortComeHomeAndNothingIsSentInThem() {
        flood.begin(1518, 0);
        assertThat(flood.doWork()).isEqualTo(32);
        device.room = 1000;
        assertThat(flood.doWork()).isZero();
        assertThat(device.out).isZero();
        assertThat(flood.sent()).isEqualTo(32).isEqualTo(device.sent);
        flood.begin(64, 0);
        assertThat(flood.doWork()).isEqualTo(32);
        assertThat(device.out).isZero();
    }

    @Test
    void aTrialSaysWhetherFramesAreTooLongOrTheDeviceTakesNone() throws InterruptedException {
        Adapter adapter = (Adapter) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Adapter.class},
                (_, _, _) -> List.of());
        GuestTrials trials = new GuestTrials(flood, adapter, "vm/1", Duration.ofMillis(1));
        device.woken = flood::doWork;
        assertThat(trials.send(1518, 0).lost()).isEqualTo(1);
        device.room = 1000;
        assertThatThrownBy(() -> trials.send(1518, 0)).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.EMSGSIZE);
            assertThat(refused).hasMessageContaining("holds a frame of 1518 bytes").hasMessageContaining("MTU");
        });
        device.room = 1514;
        device.down = true;
        assertThatThrownBy(() -> trials.send(1518, 0)).isInstanceOfSatisfying(Refusal.class,
                refused -> assertThat(refused.errno()).isEqualTo(Errno.ENETDOWN));
    }
}
