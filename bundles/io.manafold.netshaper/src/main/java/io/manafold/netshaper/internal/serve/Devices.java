package io.manafold.netshaper.internal.serve;

import io.manafold.netshaper.internal.tree.ShapedDevice;

/** The network devices by their numbers. */
public interface Devices {
    boolean has(int index);

    /** The device, or {@code null} if its driver knows no shapers. */
    ShapedDevice shaped(int index);
}
