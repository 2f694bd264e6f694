package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class BootChoiceTest {
    private static BootChoice choice(Map<String, String> files) {
        MemoryTree tree = new MemoryTree();
        files.forEach((path, text) -> tree.file(path, text.getBytes(StandardCharsets.UTF_8)));
        return BootChoice.of(new TreeEvidence("disk", tree));
    }

    @Test
    void theNewestKernelWithoutALoader() {
        BootChoice choice = choice(Map.of("/boot/vmlinuz-6.9.1", "", "/boot/vmlinuz-6.12.1", "",
                "/boot/vmlinuz-0-rescue-6", "", "/boot/initrd.img-6.12.1", "", "/etc/kernel/cmdline", "quiet a=b\n"));
        assertThat(choice).isEqualTo(new BootChoice("6.12.1", "/boot/vmlinuz-6.12.1", "/boot/initrd.img-6.12.1",
                java.util.List.of("a=b")));
        assertThat(choice.line("UUID=1-2", "@")).isEqualTo(
                "a=b root=UUID=1-2 rootflags=subvol=@ ro console=ttyS0 panic=-1 no_timer_check");
    }

    @Test
    void whatTheLoaderSaysFirst() {
        BootChoice choice = choice(Map.of("/boot/vmlinuz-6.9.1", "", "/boot/vmlinuz-6.12.1", "",
                "/boot/initramfs-6.9.1.img", "", "/boot/grub/grub.cfg", "menuentry x {\n\tlinux /boot/vmlinuz-gone ro\n"
                + "\tlinux\t/boot/vmlinuz-6.9.1 root=/dev/sda1 rw quiet console=tty0 modprobe.blacklist=mana $more\n"));
        assertThat(choice.release()).isEqualTo("6.9.1");
        assertThat(choice.initial()).isEqualTo("/boot/initramfs-6.9.1.img");
        assertThat(choice.line("/dev/vda1", "")).isEqualTo(
                "rw modprobe.blacklist=mana root=/dev/vda1 console=ttyS0 panic=-1 no_timer_check");
    }

    @Test
    void aRootByItsNameStays() {
        BootChoice choice = choice(Map.of("/boot/vmlinuz-6", "", "/etc/default/grub",
                "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet splash\"\nGRUB_CMDLINE_LINUX='root=LABEL=top x'\n"));
        assertThat(choice.line("/dev/vda1", "")).isEqualTo(
                "root=LABEL=top x ro console=ttyS0 panic=-1 no_timer_check");
    }

    @Test
    void manyWordsAreCut() {
        BootChoice choice = choice(Map.of("/boot/vmlinuz-6", "", "/etc/kernel/cmdline", "abcdefgh\u0001 " + "x ".repeat(
                5000)));
        assertThat(choice.words()).hasSize(64).containsOnly("x");
    }

    /** Not as long as they may be: without bounds those would take days. */
    @Test
    void linesThatAreMadeToTakeLongAreReadAsFastAsOthers() {
        String entry = "linux " + "/vmlinuz-a".repeat(600) + " x\u2028\n";
        String setting = "GRUB_CMDLINE_LINUX=" + " ".repeat(1 << 18) + "\"x\n";
        String shorter = ("GRUB_CMDLINE_LINUX=" + " ".repeat(4000) + "\"x\n").repeat(150);
        BootChoice choice = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> choice(Map.of(
                "/boot/vmlinuz-6", "", "/boot/grub/grub.cfg", entry.repeat(100) + "linux " + "/vmlinuz-a".repeat(300)
                + " x\u2028\nlinux /boot/vmlinuz-6 a=1\u2028b=2 c\n", "/etc/default/grub", setting + shorter)));
        assertThat(choice.words()).containsExactly("c");
        choice = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> choice(Map.of("/boot/vmlinuz-6",
                "", "/etc/default/grub", setting + shorter + "GRUB_CMDLINE_LINUX=\"d e\" \n GRUB_CMDLINE_LINUX=f\n"
                + "GRUB_CMDLINE_LINUX=''\n")));
        assertThat(choice.words()).containsExactly("d", "e", "f");
    }

    @Test
    void noKernelIsASentence() {
        assertThatThrownBy(() -> choice(Map.of("/boot/vmlinuz", "", "/boot/vmlinuz-$(x)", "")))
                .isInstanceOf(Refusal.class).hasMessageContaining("has no kernel in /boot");
    }
}
