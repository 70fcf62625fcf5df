package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.log.Terminal;

/** Confirms a change by {@code --yes} or by a typed text. */
final class Confirmation {
    private Confirmation() {}

    /**
     * Asks on the terminal.
     *
     * @param yes skips the question
     * @param answer the only accepted text
     * @throws NotConfirmedException without the answer
     */
    static void ask(boolean yes, String question, String answer) {
        if (yes) {
            return;
        }
        if (!Terminal.isThere()) {
            throw new NotConfirmedException(question + ": there is no terminal to confirm it; give --yes");
        }
        String typed = Terminal.ask(Output.printable(question) + ". Type " + Output.printable(answer) + " to go on: ");
        if (!answer.strip().equals(typed.strip())) {
            throw new NotConfirmedException("Not confirmed; nothing was changed");
        }
    }
}
