package org.example.drives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciFunction;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.test.common.annotation.InjectService;
import org.osgi.test.common.annotation.Property;
import org.osgi.test.common.annotation.config.WithFactoryConfiguration;
import org.osgi.test.common.service.ServiceAware;
import org.osgi.test.junit5.cm.ConfigurationExtension;
import org.osgi.test.junit5.service.ServiceExtension;

/** In a framework with an adapter: the driver is bound to the adapter's function, and leaves with its bundle. */
@ExtendWith({ConfigurationExtension.class, ServiceExtension.class})
@WithFactoryConfiguration(factoryPid = "io.manafold.adapter", name = "one", location = "?",
        properties = @Property(key = "name", value = "one"))
class DrivesTest {
    private static final long PATIENCE = 20_000;

    @Test
    void whatTheFunctionOffersComesAndGoesWithTheDriver(
            @InjectService(timeout = PATIENCE) PciFunction function, @InjectService DriverCore core,
            @InjectService(filter = "(name=doorbells0)", cardinality = 0) ServiceAware<Offer> offers)
            throws InterruptedException, BundleException {
        core.settle(Duration.ofMillis(PATIENCE));
        // other drivers of such functions are chosen first
        core.override(function.id(), new DriverChoice("first", null));
        Offer doorbells = offers.waitForService(PATIENCE);
        assertEquals(function.id(), doorbells.offeredBy());
        assertTrue(doorbells.summary().startsWith("pages of 4096 bytes from 0x"), doorbells.summary());

        Bundle driver = offers.getServiceReference().getBundle();
        assertEquals("first-driver 1.0.0", driver.getSymbolicName() + " " + driver.getVersion());
        driver.stop();
        assertTrue(offers.isEmpty(), "it went with its driver");
        driver.start();
        assertEquals(doorbells.summary(), offers.waitForService(PATIENCE).summary());
    }
}
