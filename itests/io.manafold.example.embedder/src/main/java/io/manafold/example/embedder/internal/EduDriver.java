package io.manafold.example.embedder.internal;

import io.manafold.api.device.Bar;
import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Hashtable;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Drives QEMU's teaching device, which computes factorials: write n, wait for the busy bit to fall, read n!. */
@Component
public final class EduDriver implements Driver {
    private static final int IDENTIFICATION = 0x00;
    private static final int FACTORIAL = 0x08;
    private static final int STATUS = 0x20;

    private final BundleContext context;

    @Activate
    public EduDriver(BundleContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "edu";
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Pci(0x1234, 0x11e8));
    }

    @Override
    public Binding probe(Probe probe) {
        Bar registers = probe.device(PciFunction.class).bars().getFirst();
        int identification = registers.read32(IDENTIFICATION);
        if ((identification & 0xff) != 0xed) {
            throw new Refusal(Errno.ENODEV, "this is no teaching device: it says %08x".formatted(identification));
        }
        LongUnaryOperator factorial = n -> compute(registers, (int) n);
        ServiceRegistration<?> offer = context.registerService(LongUnaryOperator.class, factorial, new Hashtable<>());
        return why -> offer.unregister();
    }

    /** The device has one register for the question and the answer, so it is asked one question at a time. */
    private static long compute(Bar registers, int n) {
        synchronized (registers) {
            registers.write32(FACTORIAL, n);
            for (int status = registers.read32(STATUS); (status & 1) != 0; status = registers.read32(STATUS)) {
                if (status == -1) {
                    throw new Refusal(Errno.ENODEV, "the teaching device has gone; plug it in and ask again");
                }
            }
            return Integer.toUnsignedLong(registers.read32(FACTORIAL));
        }
    }
}
