package dev.waybill.proof.nemesis;

import java.util.SplittableRandom;

/**
 * A trouble that a run makes.
 *
 * @param name as on the command line
 * @param strike makes it, lets it last, and ends it
 */
public record Nemesis(String name, Strike strike) {
    /** Does what the name says. */
    @FunctionalInterface
    public interface Strike {
        /** Returns when the trouble is over, with a word about it or nothing. */
        String on(Stage stage, SplittableRandom random) throws Exception;
    }
}
