package dev.waybill.walletforge.notification;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Leaves mails in a directory for a mail server. The name of the file is the key, so a repeat finds it there. */
public record MailDirectory(Path directory) implements Mailer {
    @Override
    public void send(String key, String text) throws IOException {
        Path draft = Files.createTempFile(directory, "mail", ".draft");
        try {
            Files.writeString(draft, text, StandardOpenOption.TRUNCATE_EXISTING);
            // Unlike a move, a link fails if the name is taken, and the file appears with all of its content.
            Files.createLink(directory.resolve(key + ".eml"), draft);
        } catch (FileAlreadyExistsException e) {
            // It was sent before the crash that made this a repeat.
            return;
        } finally {
            Files.delete(draft);
        }
    }
}
