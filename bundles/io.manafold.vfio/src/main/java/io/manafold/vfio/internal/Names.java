package io.manafold.vfio.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.regex.Pattern;

/** Names that become parts of file names and of other programs' arguments. */
final class Names {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private Names() {
    }

    static String checked(String what, String name) {
        if (name == null || !ALLOWED.matcher(name).matches()) {
            throw new Refusal(Errno.EINVAL, what + " consists of 1 to 64 letters, digits, - and _; '" + name
                    + "' does not");
        }
        return name;
    }
}
