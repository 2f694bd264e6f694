package io.manafold.memory;

import org.osgi.annotation.versioning.ProviderType;

/** What it takes to let a function reach pages of an arena, and to end that. Any thread may call. */
@ProviderType
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
