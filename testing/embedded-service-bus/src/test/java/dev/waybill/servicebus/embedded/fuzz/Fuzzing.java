package dev.waybill.servicebus.embedded.fuzz;

import org.jspecify.annotations.Nullable;

/** The broker of one class of properties: a new one after every failure, so that what was found can be made smaller. */
final class Fuzzing {
    private static @Nullable FuzzedBroker broker;

    private Fuzzing() {}

    static FuzzedBroker broker() {
        FuzzedBroker present = broker;
        if (present != null && present.broken()) {
            present.close();
            present = null;
        }
        if (present == null) {
            present = new FuzzedBroker();
            broker = present;
        }
        return present;
    }

    static void finish() throws InterruptedException {
        FuzzedBroker present = broker;
        broker = null;
        if (present == null) {
            return;
        }
        try {
            if (!present.broken()) {
                present.finish();
            }
        } finally {
            present.close();
        }
    }
}
