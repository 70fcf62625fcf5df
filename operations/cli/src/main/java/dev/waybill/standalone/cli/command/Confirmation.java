package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.log.Terminal;

/** The word of a person who sits there, or of a script that was told to go on. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Asks, unless it was said already.
     *
     * @param yes whether it was
     * @param answer the only text that means yes
     * @throws NotConfirmedException if nobody says so
     */
    static void ask(boolean yes, String question, String answer) {
        if (yes) {
            return;
        }
        if (!Terminal.isThere()) {
            throw new NotConfirmedException(question + ": nobody is there to confirm it; give --yes if it is meant");
        }
        String typed = Terminal.ask(Output.printable(question) + ". Type " + Output.printable(answer) + " to go on: ");
        if (!answer.equals(typed.strip())) {
            throw new NotConfirmedException("Not confirmed; nothing was done");
        }
    }
}
