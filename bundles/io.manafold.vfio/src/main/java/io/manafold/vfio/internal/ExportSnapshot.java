package io.manafold.vfio.internal;

import io.manafold.api.vfio.ExportCosts;
import io.manafold.api.vfio.ExportStatus;
import java.nio.file.Path;
import java.util.List;

/** An export at a moment. */
record ExportSnapshot(String name, String adapter, String function, Path socket, boolean connected, boolean listening,
        int maps, long mappedBytes, long mostBytes, long sessions, ExportCosts costs, List<String> problems)
        implements ExportStatus {
    @Override
    public List<String> qemuArguments() {
        return qemuArguments(QemuArguments.MEBIBYTES);
    }

    @Override
    public List<String> qemuArguments(int mebibytes) {
        return QemuArguments.of(name, socket, mebibytes);
    }
}
