package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class VfioCommandTest {
    private final Workshop workshop = new Workshop();
    private final VfioCommand command = new VfioCommand(workshop.topology, workshop.entries,
            socket -> !socket.endsWith("absent.sock"));

    @BeforeEach
    void anAdapter() {
        workshop.adapter("one", "7870:00:00.0", 1);
    }

    private Fakes.Answer vfio(String... words) {
        return Fakes.run(command, words);
    }

    @Test
    void whatIsLentIsListed() {
        assertThat(vfio("list").out()).isEqualTo("NAME  DIRECTION  FUNCTION  SOCKET  CONNECTED\n");
        assertThat(vfio("list", "--json").out()).isEqualTo("[]\n");
        workshop.exports.add(Fakes.Export.of("one", "/run/one.sock").guest(9, 1L << 30));
        workshop.exports.add(Fakes.Export.of("b", "/run/b.sock"));
        assertThat(vfio("list").out()).isEqualTo("""
                NAME  DIRECTION  FUNCTION      SOCKET         CONNECTED
                b     lent       7870:00:00.0  /run/b.sock    no
                one   lent       7870:00:00.0  /run/one.sock  yes
                """);
        assertThat(vfio("list", "--json").dense()).contains("{\"name\":\"one\",\"adapter\":\"one\",\"function\":"
                + "\"7870:00:00.0\",\"socket\":\"/run/one.sock\",\"connected\":true,\"listening\":true,\"maps\":9,"
                + "\"mapped_bytes\":1073741824,\"most_bytes\":1099511627776,\"sessions\":1,\"messages\":30,"
                + "\"system_calls\":20,\"interrupts\":10,\"stuck_interrupts\":0,\"problems\":[],\"direction\":\"lent\","
                + "\"objects\":4096}");
        workshop.exports.add(Fakes.Export.of("c", "/run/c.sock").broken("The adapter 'c' is not there."));
        assertThat(vfio("list").out()).contains("CONNECTED  PROBLEMS\n")
                .containsPattern("c +lent +– +/run/c.sock +no +The adapter 'c' is not\n +there.\n");
        workshop.topology.exports = null;
        assertThat(vfio("list").err()).contains("io.manafold.vfio is missing or stopped").endsWith("(EOPNOTSUPP)\n");
    }

    @Test
    void exportPrintsTheLineToPaste() {
        assertThat(vfio("export", "one")).isEqualTo(new Fakes.Answer(0, """
                qemu-system-x86_64 -machine q35,memory-backend=mem -m 1G \\
                    -object memory-backend-memfd,id=mem,size=1G,share=on \\
                    -device '{"driver": "vfio-user-pci", "socket": {"type": "unix", "path": "/run/one.sock"}}'
                """, ""));
        assertThat(workshop.configurations.get("io.manafold.export~one"))
                .isEqualTo(Map.of("name", "one", "adapter", "one"));
        assertThat(vfio("export", "one").out()).as("once more").startsWith("qemu-system-x86_64 ");
        assertThat(vfio("export", "one", "--json").out()).contains("\"command\": \"qemu-system-x86_64 -machine")
                .contains("\"socket\": \"/run/one.sock\"").contains("\"arguments\": [");
        assertThat(workshop.exports).hasSize(1);
        assertThat(vfio("remove", "one")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(workshop.exports).isEmpty();
        assertThat(workshop.configurations).containsOnlyKeys("io.manafold.adapter~one");
    }

    @Test
    void exportSpeaksToOtherPrograms() throws Exception {
        String xml = vfio("export", "one", "--as", "libvirt").out();
        NodeList words = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader("<domain>" + xml + "</domain>")))
                .getElementsByTagName("qemu:arg");
        assertThat(IntStream.range(0, words.getLength()).mapToObj(i -> ((Element) words.item(i)).getAttribute("value")))
                .containsExactly("-device",
                        "{\"driver\": \"vfio-user-pci\", \"socket\": {\"type\": \"unix\", \"path\": "
                        + "\"/run/one.sock\"}}");
        assertThat(xml).contains("<access mode='shared'/>");
        assertThat(vfio("export", "one", "--as", "cloud-hypervisor").out()).isEqualTo("""
                cloud-hypervisor --memory size=512M,shared=on \\
                    --user-device socket=/run/one.sock
                """);
        assertThat(vfio("export", "one", "--as", "qemu").out()).startsWith("qemu-system-x86_64 ");
        Fakes.Answer unknown = vfio("export", "one", "--as", "libvrt");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("did you mean 'libvirt'?");
    }

    @Test
    void theSocketCanBeChosenOnce() {
        assertThat(vfio("export", "one", "--socket", "sub/../mine.sock").out()).contains(Workshop.path("mine.sock"));
        assertThat(workshop.configurations.get("io.manafold.export~one"))
                .containsEntry("socket", Workshop.path("mine.sock"));
        assertThat(vfio("export", "one", "--socket", "mine.sock").status()).isZero();
        assertThat(vfio("export", "one", "--socket", "other.sock").err()).contains("is lent already")
                .contains("'vfio remove one'").endsWith("(EEXIST)\n");
        assertThat(vfio("export", "one", "--socket", "a\nb").status()).isEqualTo(2);
    }

    @Test
    void wordsThatAShellWouldReadAreQuoted() {
        assertThat(QemuLine.single(List.of("-device", "a'b $c", ""))).isEqualTo(
                "qemu-system-x86_64 -device 'a'\\''b $c' ''");
    }

    @Test
    void whatCannotBeLentIsRefusedAndTakenBack() {
        assertThat(vfio("export", "oen").err())
                .isEqualTo("manafold: There is no adapter 'oen'; did you mean 'one'? (ENODEV)\n");
        workshop.exportProblem = "The driver ethernet has the adapter; unbind it first.";
        assertThat(vfio("export", "one").err()).isEqualTo("manafold: Export 'one' was not ready after 2 s and was "
                + "taken back: The driver ethernet has the adapter; unbind it first. (ETIMEDOUT)\n");
        assertThat(workshop.exports).isEmpty();
        assertThat(workshop.configurations).containsOnlyKeys("io.manafold.adapter~one");
        workshop.exports.add(Fakes.Export.of("one", "/run/one.sock").broken("The path is too long."));
        assertThat(vfio("export", "one").err()).contains("no guest can connect to it: The path is too long. (EBUSY)");
        assertThat(vfio("remove", "two").err()).contains("There is no export 'two', nor any other: nothing to remove.");
        assertThat(vfio("export").status()).isEqualTo(2);
    }

    @Test
    void whatOthersLendIsBorrowedAndReturned() {
        assertThat(vfio("borrow", "sub/../far.sock")).isEqualTo(new Fakes.Answer(0, "far is at 7871:00:00.0\n", ""));
        assertThat(workshop.configurations.get("io.manafold.borrow~far"))
                .isEqualTo(Map.of("name", "far", "socket", Workshop.path("far.sock")));
        assertThat(vfio("list").out()).contains("far   borrowed   7871:00:00.0  ").contains("  yes\n");
        assertThat(vfio("list", "--json").dense()).contains("{\"name\":\"far\",\"adapter\":null,\"function\":"
                + "\"7871:00:00.0\",").contains("\"direction\":\"borrowed\"");
        assertThat(vfio("borrow", "far.sock").err()).contains("There is a borrowed function 'far' already")
                .endsWith("(EEXIST)\n");
        assertThat(vfio("borrow", "--name", "two", "--address", "7870:00:09.0", "far.sock", "--json").dense())
                .contains("\"name\":\"two\"").contains("\"function\":\"7870:00:09.0\"");
        assertThat(vfio("return", "far")).isEqualTo(new Fakes.Answer(0, "", ""));
        assertThat(vfio("return", "far").err()).contains("There is no borrowed function 'far'");
        assertThat(workshop.borrowings).hasSize(1);
    }

    @Test
    void whatCannotBeBorrowedIsTakenBack() {
        workshop.exportProblem = "Nothing can be borrowed at /run/far.sock: no lender waits there.";
        assertThat(vfio("borrow", "/run/far.sock").err()).startsWith("manafold: Borrowed function 'far' was not ready ")
                .endsWith("taken back: Nothing can be borrowed at /run/far.sock: no lender waits there. (ETIMEDOUT)\n");
        assertThat(workshop.borrowings).isEmpty();
        assertThat(vfio("borrow", "/run/absent.sock").err())
                .startsWith("manafold: There is no socket /run/absent.sock, so nothing is lent there;")
                .endsWith("(ENOENT)\n");
        assertThat(workshop.configurations).doesNotContainKey("io.manafold.borrow~absent");
        assertThat(vfio("borrow", "/run/a b.sock").err()).contains("cannot be that of a function; say one with --name");
        assertThat(vfio("borrow", "/run/far.sock", "--address", "here").status()).isEqualTo(2);
        assertThat(vfio("borrow").status()).isEqualTo(2);
    }

    @Test
    void namesAreCompleted() {
        workshop.exports.add(Fakes.Export.of("guest", "/run/one.sock"));
        assertThat(Fakes.completed(command, "export", "ADAPTER", Map.of())).containsExactly("one");
        assertThat(Fakes.completed(command, "remove", "EXPORT", Map.of())).containsExactly("guest");
        workshop.topology.exports = null;
        assertThat(Fakes.completed(command, "remove", "EXPORT", Map.of())).isEmpty();
    }
}
