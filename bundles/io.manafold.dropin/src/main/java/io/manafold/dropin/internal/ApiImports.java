package io.manafold.dropin.internal;

/**
 * The packages of the platform that a bundle imports. One without an upper end of its version would be wired to any
 * later one, and the bundle would find out in the middle of a probe that a method it calls is gone.
 */
final class ApiImports {
    private static final String OURS = "io.manafold.api.";
    private static final String VERSION = "version=";

    private ApiImports() {
    }

    static void check(String header) throws Declined {
        String imports = header == null ? "" : header;
        int begin = 0;
        boolean quoted = false;
        for (int at = 0; at <= imports.length(); at++) {
            char here = at == imports.length() ? ',' : imports.charAt(at);
            quoted ^= here == '"';
            if (here == ',' && !quoted) {
                checkClause(imports.substring(begin, at).strip());
                begin = at + 1;
            }
        }
    }

    private static void checkClause(String clause) throws Declined {
        if (clause.startsWith(OURS) && !hasUpperEnd(clause)) {
            String name = clause.split("[;,\\s]", 2)[0];
            throw Declined.forGood("it imports " + Wording.plain(name) + " and does not say up to which version, so it"
                    + " may meet one that it was not built for; build it with bnd, or write the version as a range, as"
                    + " in " + VERSION + "\"[1.3,2)\"");
        }
    }

    /** Not {@code bundle-version}: that is an attribute of its own. */
    private static boolean hasUpperEnd(String clause) {
        for (String attribute : clause.split(";")) {
            String plain = attribute.replaceAll("[\\s\"]", "");
            if (plain.startsWith(VERSION)) {
                return plain.startsWith("[", VERSION.length()) || plain.startsWith("(", VERSION.length());
            }
        }
        return false;
    }
}
