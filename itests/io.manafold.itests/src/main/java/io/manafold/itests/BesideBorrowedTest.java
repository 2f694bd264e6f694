package io.manafold.itests;

/** The same on a function that is borrowed over a socket. */
@OneFramework
class BesideBorrowedTest extends BesideEthernetTest {
    @Override
    String lab() {
        return adapterAt("7870:00:10.0") + """
                exports:
                  - adapter: beside
                    socket: %1$s
                borrow:
                  - name: far
                    socket: %1$s
                    address: %2$s
                """.formatted(folder.resolve("beside.sock"), ADDRESS);
    }
}
