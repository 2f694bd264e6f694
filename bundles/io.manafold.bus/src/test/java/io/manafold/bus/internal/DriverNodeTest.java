package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.Driver;
import io.manafold.api.device.DriverChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/** Which choices of an administrator mean a driver. */
class DriverNodeTest {
    @SuppressWarnings("unchecked")
    private static DriverNode ethernet(String version) {
        Bundle home = FakeFramework.bundle(version);
        DriverNode node = new DriverNode(FakeFramework.<ServiceReference<Driver>>fake(
                (Class<ServiceReference<Driver>>) (Class<?>) ServiceReference.class, (_, method, given) ->
                switch (method.getName()) {
                    case "getBundle" -> home;
                    case "getProperty" -> given[0].equals(Constants.SERVICE_ID) ? 1L : null;
                    default -> null;
                }));
        node.name = "ethernet";
        return node;
    }

    @ParameterizedTest
    @CsvSource({"1.0.0, 1.0.0, true", "1.0.0.202611281200, 1.0.0, true", "1.0.0.202611281200, 1.0, true",
            "1.0.0.202611281200, 1.0.0.202611281200, true", "1.0.0.202611281200, 1.0.0.202611281201, false",
            "1.0.0, 1.0.0.202611281200, false", "1.0.1.202611281200, 1.0.0, false", "1.0.0, newest, false",
            "1.0.0, '', false"})
    void aVersionWithoutAQualifierNamesEachBuildOfIt(String version, String chosen, boolean meant) {
        assertThat(ethernet(version).is(new DriverChoice("ethernet", chosen))).isEqualTo(meant);
    }

    @Test
    void aChoiceWithoutAVersionNamesAnyVersionOfTheDriver() {
        assertThat(ethernet("1.0.0.202611281200").is(new DriverChoice("ethernet", null))).isTrue();
        assertThat(ethernet("1.0.0").is(new DriverChoice("rdma", null))).isFalse();
    }
}
