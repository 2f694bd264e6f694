package io.manafold.example.store.internal;

/** A store over Java's channels. */
class StoreOverNioTest extends StoreTest {
    StoreOverNioTest() {
        super("nio");
    }
}
