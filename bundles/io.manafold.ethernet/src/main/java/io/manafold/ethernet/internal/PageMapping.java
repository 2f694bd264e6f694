package io.manafold.ethernet.internal;

import io.manafold.memory.DmaPiece;

interface PageMapping {
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
