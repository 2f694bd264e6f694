package io.manafold.adapter.internal.ethernet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.HashType;
import io.manafold.gdma.ReceiveCompletion;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpreadTest extends PortPair {
    private final byte[] key = new byte[40];
    private final GuestReceiver[] receivers = new GuestReceiver[4];
    private final ReceiveQueue[] table = new ReceiveQueue[64];

    private void spread() {
        new Random(4).nextBytes(key);
        for (int i = 0; i < 4; i++) {
            receivers[i] = two.receiver(10 + 2 * i, 4096).post(100, 1514);
        }
        for (int i = 0; i < table.length; i++) {
            table[i] = receivers[i % 4].queue;
        }
        two.port.steer(new Steering(true, true, true, receiver.queue, key, table, 1));
    }

    /** By the definition: each set bit of the input adds the key's 32 bits from there on. */
    private int toeplitz(byte[] input) {
        int hash = 0;
        for (int bit = 0; bit < input.length * 8; bit++) {
            if ((input[bit / 8] >> 7 - bit % 8 & 1) != 0) {
                for (int i = 0; i < 32; i++) {
                    int from = bit + i;
                    hash ^= (key[from / 8] >> 7 - from % 8 & 1) << 31 - i;
                }
            }
        }
        return hash;
    }

    private int expected(byte[] frame, boolean ports) {
        boolean v4 = frame[14] >>> 4 == 4;
        int addresses = v4 ? 26 : 22;
        int bytes = v4 ? 8 : 32;
        byte[] input = new byte[bytes + (ports ? 4 : 0)];
        System.arraycopy(frame, addresses, input, 0, bytes);
        if (ports) {
            System.arraycopy(frame, Packets.transport(frame), input, bytes, 4);
        }
        return toeplitz(input);
    }

    private void check(byte[] frame, boolean ports, int type) {
        sender.send(frame);
        int hash = expected(frame, ports);
        GuestReceiver.Arrived arrived = receivers[(hash & 63) % 4].receive();
        assertThat(arrived).isNotNull();
        assertThat(arrived.frame()).isEqualTo(frame);
        assertThat(arrived.hash()).isEqualTo(hash);
        assertThat(ReceiveCompletion.hashType(arrived.flags())).isEqualTo(type);
    }

    @Test
    void eachKindIsSpreadByItsHash() {
        spread();
        for (int seed = 0; seed < 20; seed++) {
            long mac = two.mac.value();
            check(Packets.ip(4, Packets.TCP, mac, 50, seed), true, HashType.TCP_IPV4);
            check(Packets.ip(4, Packets.UDP, mac, 50, seed), true, HashType.UDP_IPV4);
            check(Packets.ip(6, Packets.TCP, mac, 50, seed), true, HashType.TCP_IPV6);
            check(Packets.ip(6, Packets.UDP, mac, 50, seed), true, HashType.UDP_IPV6);
            byte[] other = Packets.ip(4, Packets.UDP, mac, 50, seed);
            other[23] = 1;
            check(other, false, HashType.IPV4);
            byte[] fragment = Packets.ip(4, Packets.UDP, mac, 50, seed);
            Packets.put16(fragment, 20, seed % 2 == 0 ? 0x2000 : 0x0003);
            check(fragment, false, HashType.IPV4);
            byte[] last = Packets.ip(6, Packets.UDP, mac, 50, seed);
            last[20] = 59;
            check(last, false, HashType.IPV6);
            byte[] extended = Packets.ip(6, Packets.UDP, mac, 50, seed);
            extended[20] = 60;
            extended[54] = 59;
            extended[55] = 0;
            check(extended, false, HashType.IPV6_EXTENSIONS);
        }
    }

    @Test
    void whatCannotBeHashedGoesToTheDefaultQueue() {
        spread();
        sender.send(plain(60));
        GuestReceiver.Arrived arrived = receiver.receive();
        assertThat(arrived.frame()).isEqualTo(plain(60));
        assertThat(ReceiveCompletion.hashType(arrived.flags())).isZero();
    }

    @Test
    void withoutSpreadingAllGoesToTheDefaultQueue() {
        spread();
        two.port.steer(new Steering(true, false, true, receivers[2].queue, null, null, 1));
        sender.send(Packets.ip(4, Packets.TCP, two.mac.value(), 50, 1));
        assertThat(receivers[2].receive()).isNotNull();
    }

    @Test
    void keyAndTableStayUnlessTheyAreGiven() {
        spread();
        two.port.steer(new Steering(true, true, false, null, null, null, 1));
        check(Packets.ip(4, Packets.TCP, two.mac.value(), 50, 1), true, HashType.TCP_IPV4);
        sender.send(plain(60));
        assertThat(receiver.receive()).isNotNull();
    }

    /** A hash would tell it, bit by bit. */
    @Test
    void theNextDriverHashesWithNoKeyOfThisOne() {
        spread();
        two.port.quiesce();
        Arrays.fill(key, (byte) 0);
        Arrays.fill(receivers, two.receiver(30, 4096).post(100, 1514));
        Arrays.fill(table, receivers[0].queue);
        two.port.steer(new Steering(true, true, true, receivers[0].queue, null, table, 1));
        check(Packets.ip(4, Packets.TCP, two.mac.value(), 50, 1), true, HashType.TCP_IPV4);
    }

    @Test
    void aDestroyedQueueTakesNothingAnyMore() {
        spread();
        for (GuestReceiver gone : receivers) {
            two.port.destroy(gone.queue);
        }
        for (int seed = 0; seed < 8; seed++) {
            sender.send(Packets.ip(4, Packets.TCP, two.mac.value(), 50, seed));
        }
        assertThat(receivers).allMatch(gone -> gone.receive() == null);
        assertThat(counter(two, "hc_rx_discards_no_wqe")).isEqualTo(8);
    }

    @Test
    void tablesOfOddSizesAndShortKeysAreRefused() {
        assertThatThrownBy(() -> two.port.steer(
                new Steering(true, true, false, null, null, new ReceiveQueue[3], 1)))
                .isInstanceOf(Refusal.class).hasMessageContaining("power of two");
        assertThatThrownBy(() -> two.port.steer(new Steering(true, true, false, null, new byte[39], null, 1)))
                .isInstanceOf(Refusal.class).hasMessageContaining("40");
    }
}
