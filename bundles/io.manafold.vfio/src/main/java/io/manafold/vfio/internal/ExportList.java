package io.manafold.vfio.internal;

import io.manafold.api.vfio.ExportStatus;
import io.manafold.api.vfio.Exports;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** All exports, for commands. */
@Component
public final class ExportList implements Exports {
    private final List<Export> exports = new CopyOnWriteArrayList<>();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void add(Export export) {
        exports.add(export);
    }

    void remove(Export export) {
        exports.remove(export);
    }

    @Override
    public List<ExportStatus> list() {
        return exports.stream().map(Export::status).sorted(Comparator.comparing(ExportStatus::name)).toList();
    }
}
