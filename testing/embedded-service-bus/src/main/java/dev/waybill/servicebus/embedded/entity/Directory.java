package dev.waybill.servicebus.embedded.entity;

import org.jspecify.annotations.Nullable;

/** The targets of forwarding, and their changes. */
interface Directory {
    /** A queue or a topic's intake, or null. */
    @Nullable MessageEntity intake(String path);

    /** Runs once, soon after the entity may accept more; it need not exist yet. */
    void whenChanged(String path, Runnable again);

    /** An entity was created, changed or has room. */
    void changed(String path);

    /** A view for entities that use another entity's capacity: that one changes with them. */
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
