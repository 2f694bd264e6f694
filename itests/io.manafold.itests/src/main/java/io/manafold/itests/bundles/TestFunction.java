package io.manafold.itests.bundles;

import io.manafold.api.device.Bar;
import io.manafold.api.device.Device;
import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.Interrupts;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.PciId;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/** A function with an identity and nothing behind it: enough for the driver core, which never looks inside. */
public final class TestFunction implements PciFunction {
    private final PciAddress address;
    private final PciId identity;
    private final AtomicInteger resets = new AtomicInteger();
    private ServiceRegistration<?> registration;

    public TestFunction(String address) {
        this(address, 0x1414, 0x00ba);
    }

    public TestFunction(String address, int vendor, int device) {
        this.address = PciAddress.parse(address);
        this.identity = new PciId(vendor, device, vendor, device, 0x020000, 0);
    }

    public TestFunction plug() {
        return plug(Map.of());
    }

    public TestFunction plug(Map<String, Object> properties) {
        BundleContext context = FrameworkUtil.getBundle(TestFunction.class).getBundleContext();
        registration = context.registerService(new String[] {Device.class.getName(), PciFunction.class.getName()}, this,
                new Hashtable<>(properties));
        return this;
    }

    public void unplug() {
        registration.unregister();
        registration = null;
    }

    public boolean plugged() {
        return registration != null;
    }

    public int resets() {
        return resets.get();
    }

    @Override
    public PciAddress address() {
        return address;
    }

    @Override
    public PciId identity() {
        return identity;
    }

    @Override
    public int configSize() {
        return 256;
    }

    @Override
    public int readConfig(int offset, int width) {
        return -1;
    }

    @Override
    public void writeConfig(int offset, int width, int value) {
        // nothing behind it
    }

    @Override
    public List<Bar> bars() {
        return List.of();
    }

    @Override
    public Interrupts interrupts() {
        return new Interrupts() {
            @Override
            public int count() {
                return 0;
            }

            @Override
            public void target(int vector, Runnable callback) {
                throw new IllegalArgumentException("there is no vector " + vector);
            }

            @Override
            public void clear(int vector) {
                throw new IllegalArgumentException("there is no vector " + vector);
            }
        };
    }

    @Override
    public DmaSpace dma() {
        throw new UnsupportedOperationException("this function has no memory access");
    }

    @Override
    public void reset() {
        resets.incrementAndGet();
    }
}
