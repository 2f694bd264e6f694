package io.manafold.api.vfio;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Functions that others lend and that are driven here. Any thread may call. */
@ProviderType
public interface Borrowings {
    /** All that is or shall be borrowed, by name. */
    List<BorrowStatus> list();
}
