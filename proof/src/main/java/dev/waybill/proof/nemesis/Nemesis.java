package dev.waybill.proof.nemesis;

import java.util.SplittableRandom;

/**
 * A trouble that a run makes.
 *
 * @param name as on the command line
 * @param needsOwnDatabase whether it cannot be made in a database of the user
 * @param strike makes it, lets it last, and ends it
 */
public record Nemesis(String name, boolean needsOwnDatabase, Strike strike) {
    Nemesis(String name, Strike strike) {
        this(name, false, strike);
    }

    /** Does what the name says. */
    @FunctionalInterface
    public interface Strike {
        /** Returns when the trouble is over, with a word about it or nothing. */
        String on(Stage stage, SplittableRandom random) throws Exception;
    }
}
