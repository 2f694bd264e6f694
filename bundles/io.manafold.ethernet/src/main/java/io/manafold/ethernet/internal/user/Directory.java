package io.manafold.ethernet.internal.user;

/** Finds the devices that packets can be redirected to. */
@FunctionalInterface
public interface Directory {
    /** Where packets for a device are left, or {@code null} if there is no such device. */
    Redirects find(String device);
}
