package io.manafold.vfio.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.vfio.BorrowStatus;
import java.nio.file.Path;
import java.util.List;

/** Something borrowed, at a moment. */
record BorrowSnapshot(String name, Path socket, PciAddress address, boolean connected, int maps, long mappedBytes,
        long sessions, List<String> problems) implements BorrowStatus {
}
