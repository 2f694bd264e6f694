package org.example.first;

import io.manafold.api.device.Bar;
import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Reads where a MANA function has its doorbells, and shows that below the device. Other drivers of such functions are
 * chosen first, since this one claims a whole vendor; {@code override 7870:00:00.0 first} chooses this one.
 */
@Component
public final class FirstDriver implements Driver {
    private static final int MICROSOFT = 0x1414;
    private static final long DOORBELLS = 0x08;
    private static final long DOORBELL_PAGE = 0x10;

    private final BundleContext context;

    /** What is seen below the device. */
    private record Doorbells(String offeredBy, String name, String summary) implements Offer {
    }

    @Activate
    public FirstDriver(BundleContext context) {
        this.context = context;
    }

    @Override
    public String name() {
        return "first";
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Pci(MICROSOFT, DeviceMatch.Pci.ANY));
    }

    @Override
    public Binding probe(Probe probe) {
        PciFunction function = probe.device(PciFunction.class);
        Doorbells doorbells = new Doorbells(function.id(), "doorbells0", summary(function.bars().getFirst()));
        ServiceRegistration<Offer> offer = context.registerService(Offer.class, doorbells,
                new Hashtable<>(Map.of("name", doorbells.name())));
        return why -> offer.unregister();
    }

    static String summary(Bar registers) {
        long place = registers.read64(DOORBELLS);
        int page = registers.read32(DOORBELL_PAGE) & 0xffff;
        if (place == -1) {
            throw new Refusal(Errno.ENODEV, "the function does not answer; plug it in again");
        }
        return "pages of %d bytes from 0x%x".formatted(page, place);
    }
}
