package io.manafold.api.net;

/** When receive memory is made reachable for its function, and when that ends. */
public enum ReceiveMapping {
    /** Once, with all memory that the driver has. */
    ARENA("arena"),
    /** Once for each page, for as long as its pool has it. */
    PAGE("page"),
    /**
     * For each packet anew, as far as it reaches, as drivers did before there were pools; a page that packets share,
     * for as long as one of them may come.
     */
    PACKET("packet"),
    /** As {@link #PACKET}, but all of its page. */
    WHOLE_PAGE("whole-page");

    private final String word;

    ReceiveMapping(String word) {
        this.word = word;
    }

    /** What people call it. */
    public String word() {
        return word;
    }

    /** Whether it is done and undone while packets come. */
    public boolean isRepeated() {
        return this == PACKET || this == WHOLE_PAGE;
    }
}
