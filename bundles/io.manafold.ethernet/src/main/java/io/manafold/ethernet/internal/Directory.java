package io.manafold.ethernet.internal;

/** Finds the devices that packets can be redirected to. */
@FunctionalInterface
interface Directory {
    /** Where packets for a device are left, or {@code null} if there is no such device. */
    Redirects find(String device);
}
