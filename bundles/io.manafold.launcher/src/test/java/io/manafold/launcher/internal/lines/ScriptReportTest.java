package io.manafold.launcher.internal.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.launcher.internal.words.ScriptOptions.ReportForm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ScriptReportTest {
    private static final long SECOND = 1_000_000_000L;
    /** With 50 lines each. */
    private static final int ROUNDS = 2_000;

    private static Element read(String xml) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        builder.setErrorHandler(null);
        return builder.parse(new InputSource(new StringReader(xml))).getDocumentElement();
    }

    @Test
    void eachLineIsACase() throws Exception {
        ScriptReport report = new ScriptReport("a&b.mf");
        report.add(1, "ip link", 0, SECOND, "");
        report.add(3, "echo \"<1>\" # why", 2, SECOND / 2, "no\nsuch \u001b[31mthing");
        Element suite = read(report.text(ReportForm.JUNIT));
        assertThat(suite.getAttribute("name")).isEqualTo("a&b.mf");
        assertThat(suite.getAttribute("time")).isEqualTo("1.500");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        Element second = (Element) suite.getElementsByTagName("testcase").item(1);
        assertThat(second.getAttribute("name")).isEqualTo("line 3: echo \"<1>\" # why");
        assertThat(second.getTextContent().strip()).isEqualTo("no\nsuch ?[31mthing");
        assertThat(report.text(ReportForm.TAP)).isEqualTo("""
                TAP version 13
                1..2
                ok 1 - line 1: ip link
                not ok 2 - line 3: echo "<1>" \\# why
                # status 2
                # no
                # such ?[31mthing
                """);
    }

    @Test
    void linesBeyondCountAreCounted() throws Exception {
        ScriptReport report = new ScriptReport("long");
        for (int i = 1; i <= 10_005; i++) {
            report.add(i, "true", 0, 0, "");
        }
        report.unread("a line has no end");
        Element suite = read(report.text(ReportForm.JUNIT));
        assertThat(suite.getAttribute("tests")).isEqualTo("10000");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getTextContent()).contains("5 more lines", "a line has no end");
        assertThat(report.text(ReportForm.TAP)).contains("\nBail out! a line has no end\n");
    }

    @Test
    void aFailureBeyondCountIsTold() throws Exception {
        ScriptReport report = new ScriptReport("long");
        for (int i = 1; i <= 10_000; i++) {
            report.add(i, "true", 0, 0, "");
        }
        report.add(10_001, "x".repeat(1 << 20), 1, 0, "no");
        report.add(10_002, "true", 0, 0, "");
        assertThat(read(report.text(ReportForm.JUNIT)).getAttribute("failures")).isEqualTo("1");
        assertThat(report.text(ReportForm.TAP)).contains("\nnot ok 10001 - line 10001: xxx", "# 1 more lines");
    }

    /** Whatever commands and their output are, XML stays XML, and no line of TAP is another than it should be. */
    @Test
    void anyTextIsCarried() throws Exception {
        Random random = new Random(23);
        for (int round = 0; round < ROUNDS; round++) {
            ScriptReport report = new ScriptReport(text(random, 20));
            for (int i = 0; i < 50; i++) {
                report.add(i, text(random, 400), random.nextInt(3), 0, text(random, 10_000 / 50));
            }
            String xml = report.text(ReportForm.JUNIT);
            assertThat(read(xml).getElementsByTagName("testcase").getLength()).isEqualTo(50);
            assertThat(xml.chars()).noneMatch(one -> Character.isISOControl(one) && one != '\n');
            assertThat(report.text(ReportForm.TAP).lines().skip(2))
                    .allMatch(line -> line.startsWith("ok ") || line.startsWith("not ok ") || line.startsWith("# "))
                    .filteredOn(line -> !line.startsWith("# ")).hasSize(50);
        }
    }

    private static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(most);
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(0x10000));
                case 1 -> text.append((char) random.nextInt(0x20));
                case 2 -> text.append("<>&\"'#]\n\r".charAt(random.nextInt(9)));
                default -> text.append((char) (' ' + random.nextInt(95)));
            }
        }
        return text.toString();
    }

    @Test
    void theEndOfMuchIsRemembered() {
        ByteArrayOutputStream through = new ByteArrayOutputStream();
        TeeOutput heard = new TeeOutput(new PrintStream(through, true, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(heard, true, StandardCharsets.UTF_8);
        out.print("short");
        assertThat(heard.heard()).isEqualTo("short");
        out.print("x".repeat(100_000) + "end");
        assertThat(heard.heard()).hasSize(8192).endsWith("xend");
        assertThat(heard.heard()).isEmpty();
        assertThat(through.size()).isEqualTo(100_008);
    }
}
