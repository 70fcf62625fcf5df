package dev.waybill.standalone.health;

import org.jspecify.annotations.Nullable;

/** What a scaler asks. An answer may take a few seconds. */
public interface ScaleQuestions {
    /** How many destinations have messages that are due. */
    ScaleAnswer destinations();

    /**
     * How many sessions of an entity have messages.
     *
     * @param query {@code entity=NAME}, and {@code namespace=NAME} if several have the entity
     */
    ScaleAnswer sessions(@Nullable String query);
}
