package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.PacketBuffer;
import org.junit.jupiter.api.Test;

/** What waits for a neighbour goes on or home, whichever thread ends the wait. */
class NeighbourTableTest {
    private static final IpAddress FIRST = IpAddress.parse("10.77.0.2");
    private static final IpAddress SECOND = IpAddress.parse("10.77.0.3");
    private static final MacAddress STATION = new MacAddress(0x000d3a000002L);

    private final FakeDevice device = new FakeDevice("mana0", 0x000d3a000001L, new FakeDevice.Wire());
    private final NeighbourTable table = new NeighbourTable();

    private void waitFor(IpAddress neighbour, int packets) {
        PacketBuffer[] taken = new PacketBuffer[packets];
        assertThat(device.take(taken, 0, packets)).isEqualTo(packets);
        for (PacketBuffer packet : taken) {
            assertThat(table.resolve(4, neighbour.high(), neighbour.low(), 0, packet))
                    .isIn(NeighbourTable.Answer.ASK, NeighbourTable.Answer.WAITS);
        }
    }

    /** Each command releases what is free after it has changed the table: another may have come between. */
    @Test
    void whatTwoCommandsAtOnceSetFreeComesHome() {
        waitFor(FIRST, 3);
        waitFor(SECOND, 2);
        assertThat(device.outstanding()).isEqualTo(5);
        assertThat(table.put(FIRST, STATION, 0)).isTrue();
        assertThat(table.remove(SECOND)).isTrue();
        Stack.releaseAll(table.freed());
        assertThat(device.outstanding()).isZero();
        assertThat(table.freed()).isNull();
    }

    @Test
    void allThatWaitsIsDroppedWithTheDevice() {
        waitFor(FIRST, 3);
        waitFor(SECOND, 2);
        Stack.releaseAll(table.dropWaiting(0));
        assertThat(device.outstanding()).isZero();
    }
}
