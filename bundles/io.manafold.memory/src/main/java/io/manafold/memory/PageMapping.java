package io.manafold.memory;

/**
 * What it takes to let a function reach a page and to end that: called for each page that enters or leaves a pool, and for
 * each packet where a page holds one. Any thread may call.
 */
public interface PageMapping {
    /** Everything is reachable all the time: the arena is mapped as a whole. */
    PageMapping NONE = new PageMapping() {
        @Override
        public void map(DmaPiece page) {
        }

        @Override
        public void unmap(DmaPiece page) {
        }
    };

    void map(DmaPiece page);

    void unmap(DmaPiece page);
}
