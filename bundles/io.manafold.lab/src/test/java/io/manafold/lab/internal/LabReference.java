package io.manafold.lab.internal;

import io.manafold.api.lab.Labs;
import java.util.EnumMap;
import java.util.Map;

/** Writes the page on labs: prose and examples from here, everything about sections and keys from the table. */
final class LabReference {
    private static final String START = """
            # Labs

            <!-- Made from the table that lab files are read by; the last lines say how to write it again. -->

            A lab is a YAML file that says what shall be there: adapters, what their ports are plugged into, who
            drives them, and what goes wrong on purpose. Bringing it up turns each of its entries into a
            configuration; taking it down takes those away again. Nothing else remembers a lab, so what is shown is
            what is there.

            ```
            manafold> lab list
            manafold> lab show default
            manafold> lab up default
            manafold> lab down default
            ```

            ## Rules

            * **A name or a file.** A word with a `/` in it, or with the ending `.yaml` or `.yml`, is a file; any
              other word is the name of a lab. A lab read from a file is named after it. Names consist of letters,
              digits, `-` and `_`, at most 64.
            * **Where names are looked up.** First `$DATA/labs/NAME.yaml`, then the labs that come with the platform.
              So a file of your own takes the place of one of ours with the same name; `lab list` shows where each
              comes from.
            * **Fourteen come with the platform.** `default` is up from the start unless another lab is asked for: one
              adapter, its two ports on one switch. `qemu-one` lends such an adapter to a virtual machine, and
              `qemu-two` two adapters, joined by a switch, to two. `qemu-beside` lends one adapter and has another driven
              here, on the same switch. `qemu-rdma` has three adapters on one switch: two are lent, to virtual machines
              that speak RDMA with each other, and one is driven here. `rdma-pingpong` has two adapters, joined by a cable, that
              speak RDMA with each other and are both driven here. `dpdk` has an adapter with two ports for poll mode, joined by a
              cable, and a third for the host. `qemu-dpdk` has three adapters on one switch: two are lent, to virtual machines that
              poll, and one is driven here. `pair` has a synthetic device and a virtual function as one network device, and a
              neighbour on the same switch. `broken-01`, `broken-02`, `broken-03`, `broken-08` and `broken-12` are in the state that
              the check of `doctor` with that number tells of.
            * **One lab is up at a time.** Bringing up another one takes away what the first one brought, except for
              entries which both list: those are changed, not made anew. Configurations that no lab has made are never
              touched.
            * **Up twice is up once.** Only entries that differ from what is there are changed. `lab show --diff NAME`
              says what would be. If a change fails half way, what was changed before it is put back.
            * **A lab is what its file says, and what was set in it.** What `ip`, `ethtool`, `pages` and `netshaper` set is kept for this lab, its adapter and
              the port; another lab on the same home never sees it. It comes back when the lab or the platform does, until the file says something else of the
              same thing than when it was set: then the file holds. `lab show --diff NAME` lists it as `kept`, `settings` says what is kept and why,
              `settings forget DEV` forgets it, and `lab up --fresh NAME` brings the lab up exactly as written.
            * **Nothing is skipped in silence.** A lab with a list that nothing on the platform takes is refused
              before anything is changed.
            * **All that is wrong is said at once**, with line and column, and the nearest name for a key or a list
              that there is none of.
            * **YAML, but not all of it.** The key decides what a value is: `name: 1` is a name, `ports: "2"` is not a
              number. Anchors, aliases, tags and several documents in a file are refused. A file has at most %d KiB
              and 1000 entries.

            A file's first comment line is its title. Every list may be left out.

            """;

    private static final String EMBEDDING = """
            ## For bundles that take entries

            An entry `NAME` of a list becomes the factory configuration `PID~NAME`. It holds the keys as they are
            written here, with the types of the tables (a list is a `String[]`), presets filled in, and two properties
            more:

            | Property | Value |
            |---|---|
            | `%s` | the lab's name |
            | `%s` | list and name, as in `adapters/one` |

            A component that names the PID as its `configurationPid` is made once per entry. The entry counts as
            *arrived* when a service with its `%s` is registered, which happens by itself when that component is a
            service, as its properties go along. Until then `ready` waits. Make the component `immediate`: then one
            whose activation fails counts as missing, with its reason. A bundle without components can register a
            `ManagedServiceFactory` of the PID, and a service for each entry.

            Rules about relative paths belong to the bundle that opens them.

            ## This page

            Everything about lists and keys above is made from the table that files are read by; a test fails when the
            two differ. What writes it again:

            `mvn -q package -pl bundles/io.manafold.lab -Dmanafold.docs.write=true`
            """;

    private static final Map<Section, String> EXAMPLES = new EnumMap<>(Map.of(
            Section.ADAPTERS, """
                    adapters:
                      - name: one                     # everything else has a preset
                      - name: two
                        address: 7870:00:10.0
                        ports: 2
                        macs: [00:0d:3a:00:00:0a]     # the second port gets an address by itself
                        queues: 4
                        speed: 100gbit
                        firmware: 2026-10
                    """,
            Section.LINKS, """
                    adapters:
                      - {name: one, ports: 2}
                      - {name: two, ports: 4}
                    links:
                      - name: net                     # a switch with three ports
                        ports: [one/1, two/1, two/2]
                        loss: 0.5%                    # the same frames each time, because of the seed
                        delay: 2ms
                        seed: 7
                      - name: host                    # the host's own network stack at the other end
                        kind: tap
                        ports: [one/2]
                        interface: tap0
                      - name: narrow                  # frames wait here, and packets are told of it
                        ports: [two/3, two/4]
                        rate: 1gbit
                        buffer: 512kib
                        ecn-min: 5kib
                        ecn-max: 200kib
                        ecn-probability: 10%
                        pfc: [3]                      # no packet of this class is dropped
                        pfc-xoff: 128kib
                        pfc-xon: 64kib
                    """,
            Section.EXPORTS, """
                    adapters:
                      - name: one
                    exports:
                      - adapter: one                  # the export is called 'one' as well
                        socket: one.sock
                    """,
            Section.BORROW, """
                    borrow:
                      - name: far                     # what ports of it are called: far/1
                        socket: /run/manafold/one.sock
                    devices:
                      - name: mana0
                        on: far/1
                        addresses: [10.77.0.3/24]
                    """,
            Section.DEVICES, """
                    adapters:
                      - {name: one, ports: 3}
                    links:
                      - {name: net, ports: [one/1, one/2, one/3]}
                    devices:
                      - name: mana0
                        on: one/1                     # ports count from 1
                        addresses: [10.77.0.1/24, "fd77::1/64"]
                      - name: mana1
                        on: one/2
                        mtu: 9000
                        addresses: [10.77.0.2/24, "fd77::2/64"]
                      - name: mana2
                        on: one/3
                        tap: tap0                     # the host's own network stack: its ping, its iperf3
                    """,
            Section.PAIRS, """
                    adapters:
                      - name: one
                      - name: two
                    links:
                      - {name: net, ports: [one/1, two/1]}
                    pairs:
                      - name: eth1                    # has the address of port one/1, and stays when that goes
                        port: one/1
                        addresses: [10.77.0.1/24]
                    devices:
                      - {name: mana0, on: two/1, addresses: [10.77.0.2/24]}
                    """,
            Section.SHAPERS, """
                    adapters:
                      - name: one
                    devices:
                      - {name: mana0, on: one/1}
                    shapers:
                      - device: mana0                 # the whole device; the shaper is called 'mana0-netdev'
                        bw-max: 500mbit
                      - device: mana0
                        scope: node                   # what is below it has 5 Gbit/s in all
                        id: 0
                        bw-max: 5gbit
                      - device: mana0
                        scope: queue
                        id: 3                         # queues count from 0
                        parent: 0
                        weight: 2
                      - device: mana0
                        scope: queue
                        id: 4
                        parent: 0
                        metric: pps
                        bw-max: 50kpps
                    """,
            Section.FAULTS, """
                    adapters:
                      - name: one
                    faults:
                      - name: refuse-tx
                        adapter: one
                        message: configure-vport-tx
                        status: 0xc00000bb
                        once: true
                      - name: slow-answers
                        adapter: one
                        effect: late
                        delay: 500ms
                    """,
            Section.LISTENERS, """
                    listeners:
                      - at: 127.0.0.1:7000            # an echo; it is called 'echo-127-0-0-1-7000'
                      - name: hole
                        at: "[::1]:7001"
                        do: sink
                        transport: nio
                        knobs: [gather=off, prefer:memory=registered]
                    """,
            Section.STATES, """
                    adapters:
                      - name: one
                    states:
                      - adapter: one                  # it is called 'one-no-driver'
                        state: no-driver
                    """));

    private LabReference() {
    }

    static String example(Section section) {
        return EXAMPLES.get(section);
    }

    static String markdown() {
        StringBuilder page = new StringBuilder(START.formatted(LabSource.LONGEST / 1024));
        for (Section section : Section.values()) {
            page.append("## ").append(section.title()).append("\n\n").append(section.meaning());
            page.append(" Factory PID: `").append(section.pid()).append("`.");
            if (!section.namedBy().isEmpty()) {
                page.append(" An entry without a name is called after its `")
                        .append(String.join("`, `", section.namedBy())).append("`, joined by `-`.");
            }
            page.append("\n\n```yaml\n").append(example(section)).append("```\n\n");
            page.append("| Key | What | Allowed | If left out | Example | In the configuration |\n");
            page.append("|---|---|---|---|---|---|\n");
            section.keys().forEach(key -> page.append(row(key)));
            page.append('\n');
        }
        return page.append(EMBEDDING.formatted(Labs.LAB, Labs.ENTRY, Labs.ENTRY)).toString();
    }

    private static String row(Key key) {
        String allowed = key.type().label() + ": " + key.type().allowed();
        String preset = key.preset() == null ? key.otherwise() : "`" + key.preset() + "`";
        String leftOut = key.required() ? "**needed**" : preset;
        String kind = key.many() ? "String[]" : key.type().arrivesAs();
        return "| `%s` | %s | %s | %s | `%s` | %s |\n".formatted(key.name(), key.meaning(),
                key.many() ? "a list, each member " + allowed : allowed, leftOut, key.example(), kind);
    }
}
