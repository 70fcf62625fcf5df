package dev.waybill.servicebus.embedded.entity;

import org.jspecify.annotations.Nullable;

/** The entities that messages are forwarded to, and what becomes of them. */
interface Directory {
    /** The queue, or a topic's intake, or null. */
    @Nullable MessageEntity intake(String path);

    /**
     * Runs this once, soon after the entity of that path, which may not be there yet, can perhaps take more than
     * now.
     */
    void whenChanged(String path, Runnable again);

    /** An entity is there, has other settings, or has room. */
    void changed(String path);

    /** The same for entities that take up room of another one: it changes whenever they do. */
    default Directory alsoOf(String holder) {
        Directory all = this;
        return new Directory() {
            @Override
            public @Nullable MessageEntity intake(String path) {
                return all.intake(path);
            }

            @Override
            public void whenChanged(String path, Runnable again) {
                all.whenChanged(path, again);
            }

            @Override
            public void changed(String path) {
                all.changed(path);
                all.changed(holder);
            }
        };
    }
}
