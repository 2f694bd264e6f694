package io.manafold.api.vfio;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Functions that are lent to virtual machines. Any thread may call. */
@ProviderType
public interface Exports {
    /** All exports by name. */
    List<ExportStatus> list();
}
