package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.UnixSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenSocketTest {
    @TempDir
    Path folder;

    @Test
    void onlyThisUserMayCome() throws Exception {
        Path path = folder.resolve("data/vfio/one.sock");
        try (ListenSocket _ = ListenSocket.open(path)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void aSocketThatWasLeftBehindIsReplaced() throws Exception {
        Path path = folder.resolve("one.sock");
        try (ServerSocketChannel past = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            past.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
        try (ListenSocket _ = ListenSocket.open(path); UnixSocket client = UnixSocket.connect(path)) {
            assertThat(client.descriptor().isOpen()).isTrue();
        }
    }

    @Test
    void aSocketThatSomebodyWaitsAtIsNot() throws Exception {
        Path path = folder.resolve("one.sock");
        try (ListenSocket first = ListenSocket.open(path)) {
            assertThatThrownBy(() -> ListenSocket.open(path)).isInstanceOfSatisfying(Refusal.class,
                    refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EBUSY))
                    .hasMessageContaining("another process waits there");
            assertThat(path).exists();
            try (UnixSocket probe = first.accept()) {
                assertThat(probe).isNotNull();
            }
        }
    }

    @Test
    void otherFilesStay() throws Exception {
        Path file = Files.writeString(folder.resolve("one.sock"), "mine");
        assertThatThrownBy(() -> ListenSocket.open(file)).isInstanceOfSatisfying(Refusal.class,
                refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EEXIST));
        assertThat(file).hasContent("mine");
        Path link = Files.createSymbolicLink(folder.resolve("two.sock"), folder.resolve("nowhere"));
        assertThatThrownBy(() -> ListenSocket.open(link)).isInstanceOf(Refusal.class);
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void aSocketThatTookOurPlaceIsNotOursToDelete() throws Exception {
        Path path = folder.resolve("one.sock");
        try (ListenSocket _ = ListenSocket.open(path)) {
            Files.move(path, folder.resolve("kept"));
            Files.writeString(path, "another file");
        }
        assertThat(path).hasContent("another file");
    }

    @Test
    void pathsLieInTheFolderAndAreNotTooLong() {
        assertThat(SocketPath.of(Path.of("/data/vfio"), "one.sock")).isEqualTo(Path.of("/data/vfio/one.sock"));
        assertThat(SocketPath.of(Path.of("/data/vfio"), "/run/x/one.sock")).isEqualTo(Path.of("/run/x/one.sock"));
        String longest = "/" + "x".repeat(106);
        assertThat(SocketPath.of(Path.of("/data"), longest)).isEqualTo(Path.of(longest));
        assertThatThrownBy(() -> SocketPath.of(Path.of("/data"), longest + "x"))
                .isInstanceOfSatisfying(Refusal.class,
                        refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENAMETOOLONG))
                .hasMessageContaining("has 108 bytes; a socket's has at most 107");
        assertThatThrownBy(() -> SocketPath.of(Path.of("/data"), "\u00e9".repeat(54))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> SocketPath.of(Path.of("/data"), "a\0b")).isInstanceOf(Refusal.class);
    }
}
