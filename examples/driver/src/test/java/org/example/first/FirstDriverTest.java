package org.example.first;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.manafold.api.device.Bar;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class FirstDriverTest {
    /** Registers that all say the same. */
    private static Bar registers(long value) {
        return (Bar) Proxy.newProxyInstance(Bar.class.getClassLoader(), new Class<?>[] {Bar.class},
                (_, method, _) -> method.getName().equals("read32") ? (Object) (int) value : (Object) value);
    }

    @Test
    void doorbellsAreWhereTheRegistersSay() {
        assertEquals("pages of 4096 bytes from 0x1000", FirstDriver.summary(registers(0x1000)));
    }

    @Test
    void aFunctionThatHasGoneIsRefused() {
        Refusal refused = assertThrows(Refusal.class, () -> FirstDriver.summary(registers(-1)));
        assertEquals(Errno.ENODEV, refused.errno());
    }
}
