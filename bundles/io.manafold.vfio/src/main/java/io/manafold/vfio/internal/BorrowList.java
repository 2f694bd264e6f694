package io.manafold.vfio.internal;

import io.manafold.api.vfio.BorrowStatus;
import io.manafold.api.vfio.Borrowings;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** All that is borrowed, for commands. */
@Component
public final class BorrowList implements Borrowings {
    private final List<Borrowing> borrowings = new CopyOnWriteArrayList<>();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void add(Borrowing borrowing) {
        borrowings.add(borrowing);
    }

    void remove(Borrowing borrowing) {
        borrowings.remove(borrowing);
    }

    @Override
    public List<BorrowStatus> list() {
        return borrowings.stream().map(Borrowing::status).sorted(Comparator.comparing(BorrowStatus::name)).toList();
    }
}
