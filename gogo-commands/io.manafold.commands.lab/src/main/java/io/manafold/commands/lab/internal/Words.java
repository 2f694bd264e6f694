package io.manafold.commands.lab.internal;

import io.manafold.shell.UsageError;
import java.util.regex.Pattern;

/** Words that several commands have in common. */
final class Words {
    static final String FAMILY = "lab";
    static final String ADAPTER = "ADAPTER";
    static final String LINK = "LINK";
    static final String PLACE = "PLACE";
    static final String FILE = "FILE";
    static final String NAME = "NAME";
    static final String ADAPTER_HELP = "the adapter's name, as 'adapter list' shows it";
    static final String LINK_HELP = "the link's name, as 'link list' shows it";
    static final String PLACE_HELP = "the name of a link or of a network device, as 'link list' and 'ip link' show it";

    /** A serial number that is one more than the last. */
    static final String NEXT = "next";

    private static final Pattern ENTRY_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    private Words() {
    }

    /** A name that a thing can be given. */
    static String name(String text) {
        if (!ENTRY_NAME.matcher(text).matches()) {
            throw new UsageError("'" + text + "' is not a name: letters, digits, - and _, at most 64.");
        }
        return text;
    }
}
