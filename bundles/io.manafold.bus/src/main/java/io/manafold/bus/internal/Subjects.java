package io.manafold.bus.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.SavedSetting;
import io.manafold.api.device.SavedSettings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Names under which settings of ports are kept: {@code port:default/one/1}, as about, lab, adapter and port. */
final class Subjects {
    /** What a function's service says of the lab that brought it. */
    private static final String LAB = "io.manafold.lab";
    private static final int LONGEST_SHOWN = 60;
    private static final Pattern PARTS = Pattern.compile("([a-z]+):([^/]+)/([^/]+)/([0-9]+)");

    private Subjects() {
    }

    static String of(BundleContext context, String about, PciAddress function, int port) {
        String lab = null;
        String adapter = function.toString();
        try {
            for (ServiceReference<PciFunction> one : context.getServiceReferences(PciFunction.class, "(address="
                    + function + ")")) {
                lab = one.getProperty(LAB) instanceof String name ? name : lab;
                adapter = one.getProperty("name") instanceof String name ? name : adapter;
            }
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
        return SavedSettings.subject(about, lab, adapter, port);
    }

    private static String name(String word) {
        return URLDecoder.decode(word, StandardCharsets.UTF_8);
    }

    /** As it was kept before labs were told apart. */
    static String former(String about, PciAddress function, int port) {
        return (about.equals(SavedSettings.PORT) ? "" : about + ":") + function + "/" + port;
    }

    static List<SavedSetting> list(String subject, Map<String, String> settings) {
        Matcher parts = PARTS.matcher(subject);
        boolean known = parts.matches();
        Optional<String> lab = known && !parts.group(2).equals(SavedSettings.NO_LAB) ? Optional.of(name(parts.group(2)))
                : Optional.empty();
        String port = known ? name(parts.group(3)) + "/" + parts.group(4) : subject;
        List<SavedSetting> list = new ArrayList<>();
        settings.forEach((word, value) -> {
            if (!word.startsWith(SavedSettings.FILE) && !word.startsWith(SavedSettings.DRIVER)) {
                list.add(new SavedSetting(subject, lab, port, word, value,
                        Optional.ofNullable(settings.get(SavedSettings.FILE + word)),
                        !value.equals(settings.get(SavedSettings.DRIVER + word))));
            }
        });
        return list;
    }

    /** What an administrator has changed on a port, a sentence for each setting; what a driver chose is none. */
    static List<String> changes(String subject, Map<String, String> before, Map<String, String> after) {
        List<String> sentences = new ArrayList<>();
        boolean pair = subject.startsWith(SavedSettings.PAIR + SavedSettings.PORT + ":");
        if (!pair && !subject.startsWith(SavedSettings.PORT + ":")) {
            return sentences;
        }
        String what = pair ? "pair of port " : "port ";
        for (SavedSetting now : list(subject, after)) {
            String former = before.get(now.word());
            if (now.byHand() && !now.value().equals(former)) {
                sentences.add(what + now.port() + ": " + now.word() + " is set to " + shown(now.value())
                        + (former == null ? "" : "; it was " + shown(former)));
            }
        }
        for (SavedSetting gone : list(subject, before)) {
            if (gone.byHand() && !after.containsKey(gone.word())) {
                sentences.add(what + gone.port() + ": " + gone.word() + " is no longer set; it was "
                        + shown(gone.value()));
            }
        }
        return sentences;
    }

    private static String shown(String value) {
        return value.length() <= LONGEST_SHOWN ? value : value.substring(0, LONGEST_SHOWN) + "…";
    }
}
