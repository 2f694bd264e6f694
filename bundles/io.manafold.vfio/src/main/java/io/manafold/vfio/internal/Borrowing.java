package io.manafold.vfio.internal;

import io.manafold.api.vfio.BorrowStatus;

/** An entry of the list of what is to be borrowed, for as long as it is configured. Any thread may call. */
public interface Borrowing {
    BorrowStatus status();
}
