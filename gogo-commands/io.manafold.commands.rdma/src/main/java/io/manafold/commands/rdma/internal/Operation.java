package io.manafold.commands.rdma.internal;

/** What is measured. */
enum Operation {
    SEND("Send", "send"),
    WRITE("RDMA_Write", "write"),
    READ("RDMA_Read", "read");

    private final String label;
    private final String word;

    Operation(String label, String word) {
        this.label = label;
        this.word = word;
    }

    /** As headers name it. */
    String label() {
        return label;
    }

    /** As commands name it. */
    String word() {
        return word;
    }

    /** How many times a message crosses between two looks at the clock. */
    int ways() {
        return this == READ ? 1 : 2;
    }
}
