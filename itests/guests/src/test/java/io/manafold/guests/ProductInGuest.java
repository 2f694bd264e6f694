package io.manafold.guests;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Duration;

/** The product in a machine that has a Java runtime and its JAR: it is started once, and told line after line. */
final class ProductInGuest {
    private static final Duration LONG = Duration.ofMinutes(8);

    private final Guest guest;
    private int marks;

    private ProductInGuest(Guest guest) {
        this.guest = guest;
    }

    static ProductInGuest on(Guest guest) {
        guest.run("product_starts").done();
        return new ProductInGuest(guest);
    }

    /** What it says to a line; it complained of nothing. */
    private Answer says(String line) {
        marks++;
        return guest.run("product_does MARK" + marks + " " + line, LONG).done();
    }

    JsonObject object(String line) {
        return says(line + " --json").json().asJsonObject();
    }

    JsonArray list(String line) {
        return says(line + " --json").json().asJsonArray();
    }

    /** It ends as it is asked to. */
    void exit() {
        guest.run("echo exit >/tmp/typed; until_true 1200 ended java && ! [ -s /tmp/complained ] || { cat /tmp/said "
                + "/tmp/complained; false; }", LONG).done();
    }
}
