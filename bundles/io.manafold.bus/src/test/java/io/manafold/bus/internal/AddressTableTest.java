package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciAddresses.Held;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.api.Test;

class AddressTableTest {
    private static final PciAddress FIRST = new PciAddress(0x7870, 0, 0, 0);
    private static final PciAddress SECOND = new PciAddress(0x7870, 0, 1, 0);

    private final AddressTable table = new AddressTable(_ -> null);

    @Test
    void anAddressHasOneHolderUntilItIsGivenBack() {
        Held held = table.take("the adapter one", FIRST);
        refused(Errno.EBUSY, () -> table.take("the borrowed function far", FIRST), "7870:00:00.0", "the adapter one",
                "the borrowed function far");
        assertThat(table.takeFirst("the adapter two", 0x7870).address()).isEqualTo(SECOND);
        held.close();
        Held again = table.take("the borrowed function far", FIRST);
        held.close();
        refused(Errno.EBUSY, () -> table.take("the adapter one", FIRST), "the borrowed function far");
        assertThat(again.address()).isEqualTo(FIRST);
    }

    @Test
    void aFunctionThatWasOnlyRegisteredHoldsItsAddressToo() {
        AddressTable beside = new AddressTable(address -> address.equals(FIRST) ? "a function of the bundle edu"
                : null);
        refused(Errno.EBUSY, () -> beside.take("the adapter one", FIRST), "a function of the bundle edu",
                "the adapter one");
        assertThat(beside.takeFirst("the adapter one", 0x7870).address()).isEqualTo(SECOND);
    }

    @Test
    void aFullDomainIsTold() {
        for (int i = 0; i < 256 * 32; i++) {
            table.takeFirst("the adapter " + i, 0x7870);
        }
        refused(Errno.ENOSPC, () -> table.takeFirst("the adapter last", 0x7870), "the adapter last", "7870");
        assertThat(table.takeFirst("the adapter last", 0x7871).address()).isEqualTo(new PciAddress(0x7871, 0, 0, 0));
    }

    private static void refused(Errno errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call,
            String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.errno()).isEqualTo(errno);
            assertThat(refusal.getMessage()).contains(words);
        });
    }
}
