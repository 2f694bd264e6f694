package io.manafold.example.store.internal;

/** A store over rings. */
class StoreOverUringTest extends StoreTest {
    StoreOverUringTest() {
        super("uring");
    }
}
