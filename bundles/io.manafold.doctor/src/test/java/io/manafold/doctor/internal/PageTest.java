package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Finding;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class PageTest {
    private static final String HOSTILE =
            "\u001b[31m<script>alert('x')</script>&amp;\"><img src=x onerror=y>\u202e\u2028\u0000\ud800";

    @Test
    void nothingOfStrangersIsMarkup() throws Exception {
        Finding finding = Finding.fail(HOSTILE).line(HOSTILE, HOSTILE).search(HOSTILE).mend(HOSTILE);
        String page = Page.of(HOSTILE, List.of(new Diagnosis(HOSTILE, HOSTILE, HOSTILE, finding, List.of(), null)));
        assertThat(page).doesNotContain("\u001b", "\u202e", "\u2028", "\u0000", "\ud800", "<script", "<img")
                .contains("&lt;script&gt;");
        assertThat(Pattern.compile(
                "<(?!/?(?:html|head|meta|title|style|body|h1|h2|p|span|section|dl|dt|dd|code|pre|!DOCTYPE)\\b)")
                .matcher(page).find()).isFalse();
        assertThat(parsed(page).getElementsByTagName("section").getLength()).isEqualTo(1);
    }

    @Test
    void aPageHasEveryCheck() throws Exception {
        Diagnosis ok = new Diagnosis("1", "adapter present", "here", Finding.ok("fine"), List.of(), null);
        Diagnosis fail = new Diagnosis("8", "port released", "here", Finding.fail("up").line("interfaces", "mana0")
                .mend("ip link set mana0 down"), List.of(), null);
        String page = Page.of("here", List.of(ok, fail));
        assertThat(parsed(page).getElementsByTagName("h2").getLength()).isEqualTo(2);
        assertThat(page).contains("ip link set mana0 down", "1 adapter present", "8 port released")
                .doesNotContain("http://", "https://");
    }

    /** As markup that is well formed, which browsers do not ask for. */
    private static Document parsed(String page) throws ParserConfigurationException, IOException, SAXException {
        String strict = page.replace("<!DOCTYPE html>\n", "").replaceAll("<meta ([^>]*)>", "<meta $1/>");
        return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(strict)));
    }
}
