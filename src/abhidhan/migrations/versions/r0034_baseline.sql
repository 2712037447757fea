-- The tables and indexes of database step 0034, for both engines: `r0034_baseline.py` replaces the words that only one of
-- them has (SERIAL, BYTEA, DOUBLE PRECISION, COLLATE "C"; AUTOINCREMENT, WITHOUT ROWID). Later steps change them.
CREATE TABLE language (
    id INTEGER NOT NULL, code TEXT NOT NULL, iso639_3 TEXT, name TEXT NOT NULL, native_name TEXT NOT NULL,
    script TEXT NOT NULL, direction TEXT NOT NULL, words INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT pk_language PRIMARY KEY (id),
    CONSTRAINT uq_language_code UNIQUE (code)
);
CREATE TABLE list_item (
    list TEXT NOT NULL, id INTEGER NOT NULL, value TEXT NOT NULL, code TEXT, parent_id INTEGER,
    position INTEGER NOT NULL,
    CONSTRAINT pk_list_item PRIMARY KEY (list, id),
    CONSTRAINT uq_list_item_list_value UNIQUE (list, value)
);
CREATE TABLE source (
    id SERIAL NOT NULL, code TEXT NOT NULL, name TEXT NOT NULL, licence TEXT NOT NULL, url TEXT, attribution TEXT,
    notice TEXT,
    CONSTRAINT pk_source PRIMARY KEY (id),
    CONSTRAINT uq_source_code UNIQUE (code)
);
CREATE TABLE idea (
    id SERIAL NOT NULL CONSTRAINT pk_idea PRIMARY KEY AUTOINCREMENT, pos_id INTEGER, gender_id INTEGER, glyph TEXT,
    source_id INTEGER, external_key TEXT COLLATE "C", created BIGINT NOT NULL, updated BIGINT NOT NULL,
    licence TEXT,
    CONSTRAINT uq_idea_source_id_external_key UNIQUE (source_id, external_key),
    CONSTRAINT fk_idea_source_id FOREIGN KEY(source_id) REFERENCES source (id)
);
CREATE INDEX ix_idea_pos_id ON idea (pos_id, id);
CREATE TABLE idea_alias (
    source_id INTEGER NOT NULL, external_key TEXT COLLATE "C" NOT NULL, idea_id INTEGER NOT NULL,
    CONSTRAINT pk_idea_alias PRIMARY KEY (source_id, external_key),
    CONSTRAINT fk_idea_alias_source_id FOREIGN KEY(source_id) REFERENCES source (id),
    CONSTRAINT fk_idea_alias_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id)
) WITHOUT ROWID;
CREATE INDEX ix_idea_alias_idea_id ON idea_alias (idea_id);
CREATE TABLE idea_relation (
    idea_id INTEGER NOT NULL, type_id INTEGER NOT NULL, other_id INTEGER NOT NULL,
    CONSTRAINT pk_idea_relation PRIMARY KEY (idea_id, type_id, other_id),
    CONSTRAINT fk_idea_relation_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_idea_relation_other_id FOREIGN KEY(other_id) REFERENCES idea (id)
) WITHOUT ROWID;
CREATE INDEX ix_idea_relation_other_id ON idea_relation (other_id);
CREATE TABLE definition (
    id SERIAL NOT NULL, idea_id INTEGER NOT NULL, language_id INTEGER NOT NULL, text TEXT NOT NULL,
    CONSTRAINT pk_definition PRIMARY KEY (id),
    CONSTRAINT fk_definition_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_definition_language_id FOREIGN KEY(language_id) REFERENCES language (id)
);
CREATE INDEX ix_definition_idea_id ON definition (idea_id);
CREATE TABLE example (
    id SERIAL NOT NULL, idea_id INTEGER NOT NULL, language_id INTEGER NOT NULL, text TEXT NOT NULL,
    translation TEXT,
    CONSTRAINT pk_example PRIMARY KEY (id),
    CONSTRAINT fk_example_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_example_language_id FOREIGN KEY(language_id) REFERENCES language (id)
);
CREATE INDEX ix_example_idea_id ON example (idea_id);
CREATE TABLE idea_context (
    idea_id INTEGER NOT NULL, context_id INTEGER NOT NULL,
    CONSTRAINT pk_idea_context PRIMARY KEY (idea_id, context_id),
    CONSTRAINT fk_idea_context_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id)
) WITHOUT ROWID;
CREATE INDEX ix_idea_context_context_id_idea_id ON idea_context (context_id, idea_id);
CREATE TABLE word (
    id SERIAL NOT NULL CONSTRAINT pk_word PRIMARY KEY AUTOINCREMENT, language_id INTEGER NOT NULL,
    text TEXT COLLATE "C" NOT NULL, exact_key TEXT COLLATE "C" NOT NULL, loose_key TEXT COLLATE "C" NOT NULL,
    sound_key TEXT COLLATE "C" NOT NULL, sort_key BYTEA NOT NULL, roman TEXT, rule_roman TEXT, ipa TEXT, asm TEXT,
    variant_id INTEGER, origin TEXT, plural TEXT, definitive TEXT, created BIGINT NOT NULL, updated BIGINT NOT NULL,
    frequency DOUBLE PRECISION, frequency_source TEXT, audio TEXT, rarity SMALLINT DEFAULT '255' NOT NULL,
    CONSTRAINT uq_word_language_id_text UNIQUE (language_id, text),
    CONSTRAINT fk_word_language_id FOREIGN KEY(language_id) REFERENCES language (id)
);
CREATE INDEX ix_word_exact_key ON word (exact_key, language_id, sort_key, text);
CREATE INDEX ix_word_loose_key ON word (loose_key);
CREATE INDEX ix_word_sound_key ON word (sound_key);
CREATE INDEX ix_word_order ON word (language_id, sort_key, text);
CREATE INDEX ix_word_created ON word (created, id);
CREATE INDEX ix_word_language_id_created ON word (language_id, created, id);
CREATE INDEX ix_word_length_exact_key ON word (length(exact_key), exact_key);
CREATE INDEX ix_word_length_loose_key ON word (length(loose_key), loose_key);
CREATE INDEX ix_word_length_sound_key ON word (length(sound_key), sound_key);
CREATE INDEX ix_word_silent ON word (language_id, rarity, sort_key, id, audio) WHERE audio IS NULL;
CREATE INDEX ix_word_heard ON word (language_id) WHERE audio IS NOT NULL;
CREATE TABLE word_form (
    "key" TEXT COLLATE "C" NOT NULL, word_id INTEGER NOT NULL, tag TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_word_form PRIMARY KEY ("key", word_id),
    CONSTRAINT fk_word_form_word_id FOREIGN KEY(word_id) REFERENCES word (id)
) WITHOUT ROWID;
CREATE INDEX ix_word_form_word_id ON word_form (word_id);
CREATE TABLE near_key (
    "key" TEXT COLLATE "C" NOT NULL, word_id INTEGER NOT NULL,
    CONSTRAINT pk_near_key PRIMARY KEY ("key", word_id)
) WITHOUT ROWID;
CREATE TABLE sense (
    id SERIAL NOT NULL CONSTRAINT pk_sense PRIMARY KEY AUTOINCREMENT, word_id INTEGER NOT NULL,
    language_id INTEGER NOT NULL, idea_id INTEGER NOT NULL, position INTEGER NOT NULL, reference TEXT, note TEXT,
    source_id INTEGER, added BIGINT NOT NULL, licence TEXT,
    CONSTRAINT uq_sense_word_id_idea_id UNIQUE (word_id, idea_id),
    CONSTRAINT fk_sense_word_id FOREIGN KEY(word_id) REFERENCES word (id),
    CONSTRAINT fk_sense_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_sense_source_id FOREIGN KEY(source_id) REFERENCES source (id)
);
CREATE INDEX ix_sense_idea_id_language_id_word_id ON sense (idea_id, language_id, word_id);
CREATE INDEX ix_sense_language_id_idea_id ON sense (language_id, idea_id);
CREATE TABLE phrase (
    id SERIAL NOT NULL CONSTRAINT pk_phrase PRIMARY KEY AUTOINCREMENT, language_id INTEGER NOT NULL,
    text TEXT COLLATE "C" NOT NULL, exact_key TEXT COLLATE "C" NOT NULL, sound_key TEXT COLLATE "C" NOT NULL,
    sort_key BYTEA NOT NULL, roman TEXT, rule_roman TEXT, meaning TEXT, category_id INTEGER, source_id INTEGER,
    external_key TEXT COLLATE "C", added BIGINT NOT NULL, licence TEXT, audio TEXT,
    CONSTRAINT uq_phrase_language_id_text UNIQUE (language_id, text),
    CONSTRAINT uq_phrase_source_id_external_key UNIQUE (source_id, external_key),
    CONSTRAINT fk_phrase_language_id FOREIGN KEY(language_id) REFERENCES language (id),
    CONSTRAINT fk_phrase_source_id FOREIGN KEY(source_id) REFERENCES source (id)
);
CREATE INDEX ix_phrase_exact_key ON phrase (exact_key);
CREATE INDEX ix_phrase_order ON phrase (language_id, sort_key);
CREATE INDEX ix_phrase_category ON phrase (category_id, language_id, sort_key);
CREATE TABLE phrase_gram (
    language_id INTEGER NOT NULL, gram TEXT COLLATE "C" NOT NULL, phrase_id INTEGER NOT NULL,
    CONSTRAINT pk_phrase_gram PRIMARY KEY (language_id, gram, phrase_id),
    CONSTRAINT fk_phrase_gram_phrase_id FOREIGN KEY(phrase_id) REFERENCES phrase (id)
) WITHOUT ROWID;
CREATE INDEX ix_phrase_gram_phrase_id ON phrase_gram (phrase_id);
CREATE TABLE gram_count (
    language_id INTEGER NOT NULL, gram TEXT COLLATE "C" NOT NULL, phrases INTEGER NOT NULL,
    CONSTRAINT pk_gram_count PRIMARY KEY (language_id, gram)
) WITHOUT ROWID;
CREATE TABLE card_set (
    id SERIAL NOT NULL CONSTRAINT pk_card_set PRIMARY KEY AUTOINCREMENT, source_id INTEGER,
    external_key TEXT COLLATE "C", name TEXT NOT NULL, description TEXT, language_id INTEGER NOT NULL,
    answer_language_id INTEGER NOT NULL,
    CONSTRAINT uq_card_set_source_id_external_key UNIQUE (source_id, external_key),
    CONSTRAINT fk_card_set_source_id FOREIGN KEY(source_id) REFERENCES source (id),
    CONSTRAINT fk_card_set_language_id FOREIGN KEY(language_id) REFERENCES language (id),
    CONSTRAINT fk_card_set_answer_language_id FOREIGN KEY(answer_language_id) REFERENCES language (id)
);
CREATE TABLE card (
    id SERIAL NOT NULL CONSTRAINT pk_card PRIMARY KEY AUTOINCREMENT, card_set_id INTEGER NOT NULL,
    position INTEGER NOT NULL, clue TEXT NOT NULL, roman TEXT, answer TEXT NOT NULL, idea_id INTEGER, picture TEXT,
    CONSTRAINT fk_card_card_set_id FOREIGN KEY(card_set_id) REFERENCES card_set (id),
    CONSTRAINT fk_card_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id)
);
CREATE INDEX ix_card_idea_id ON card (idea_id);
CREATE INDEX ix_card_card_set_id_position ON card (card_set_id, position);
CREATE TABLE history (
    id SERIAL NOT NULL CONSTRAINT pk_history PRIMARY KEY AUTOINCREMENT, at BIGINT NOT NULL, person_id INTEGER,
    action_id INTEGER NOT NULL, record TEXT NOT NULL, record_id INTEGER NOT NULL, "before" TEXT, "after" TEXT
);
CREATE INDEX ix_history_record_record_id ON history (record, record_id);
CREATE INDEX ix_history_person_id ON history (person_id, id);
CREATE TABLE state (
    id INTEGER NOT NULL, data_version BIGINT NOT NULL,
    CONSTRAINT pk_state PRIMARY KEY (id)
);
CREATE TABLE article (
    language_id INTEGER NOT NULL, "key" TEXT COLLATE "C" NOT NULL, outcome TEXT NOT NULL, title TEXT NOT NULL,
    extract TEXT NOT NULL, url TEXT, source TEXT NOT NULL, licence TEXT, disambiguation INTEGER NOT NULL,
    retrieved BIGINT NOT NULL, renew_after BIGINT NOT NULL,
    CONSTRAINT pk_article PRIMARY KEY (language_id, "key")
) WITHOUT ROWID;
CREATE INDEX ix_article_outcome ON article (outcome, renew_after);
CREATE TABLE wiki (
    address TEXT COLLATE "C" NOT NULL, holder TEXT NOT NULL, held_until BIGINT NOT NULL, asked BIGINT NOT NULL,
    closed_until BIGINT NOT NULL, failures INTEGER NOT NULL,
    CONSTRAINT pk_wiki PRIMARY KEY (address)
) WITHOUT ROWID;
CREATE TABLE person (
    id SERIAL NOT NULL CONSTRAINT pk_person PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL,
    username_key TEXT COLLATE "C" NOT NULL, email TEXT, password_hash TEXT, role TEXT NOT NULL,
    created BIGINT NOT NULL, disabled BIGINT,
    CONSTRAINT uq_person_username_key UNIQUE (username_key)
);
CREATE INDEX ix_person_email ON person (email);
CREATE TABLE known_address (
    person_id INTEGER NOT NULL, address_hash TEXT COLLATE "C" NOT NULL, seen BIGINT NOT NULL,
    CONSTRAINT pk_known_address PRIMARY KEY (person_id, address_hash),
    CONSTRAINT fk_known_address_person_id FOREIGN KEY(person_id) REFERENCES person (id)
) WITHOUT ROWID;
CREATE TABLE tries (
    "key" TEXT COLLATE "C" NOT NULL, count INTEGER NOT NULL, last BIGINT NOT NULL, until BIGINT NOT NULL,
    CONSTRAINT pk_tries PRIMARY KEY ("key")
) WITHOUT ROWID;
CREATE INDEX ix_tries_last ON tries (last);
CREATE TABLE session (
    id SERIAL NOT NULL CONSTRAINT pk_session PRIMARY KEY AUTOINCREMENT, token_hash TEXT COLLATE "C" NOT NULL,
    person_id INTEGER NOT NULL, created BIGINT NOT NULL, seen BIGINT NOT NULL, expires BIGINT NOT NULL, agent TEXT,
    CONSTRAINT uq_session_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_session_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_session_person_id ON session (person_id);
CREATE INDEX ix_session_expires ON session (expires);
CREATE TABLE submission (
    id SERIAL NOT NULL CONSTRAINT pk_submission PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
    payload TEXT NOT NULL, person_id INTEGER, status TEXT NOT NULL, reason TEXT, submitted BIGINT NOT NULL,
    decided BIGINT, decided_by INTEGER, result TEXT COLLATE "C", seen TEXT, once TEXT COLLATE "C", licence TEXT,
    times INTEGER,
    CONSTRAINT uq_submission_once UNIQUE (once),
    CONSTRAINT fk_submission_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_submission_status ON submission (status, id);
CREATE INDEX ix_submission_person_id ON submission (person_id, id);
CREATE INDEX ix_submission_result ON submission (result);
CREATE TABLE history_record (
    kind TEXT COLLATE "C" NOT NULL, record_id TEXT COLLATE "C" NOT NULL, history_id INTEGER NOT NULL,
    CONSTRAINT pk_history_record PRIMARY KEY (kind, record_id, history_id),
    CONSTRAINT fk_history_record_history_id FOREIGN KEY(history_id) REFERENCES history (id)
) WITHOUT ROWID;
CREATE INDEX ix_history_record_history_id ON history_record (history_id);
CREATE TABLE key_rules (
    id INTEGER NOT NULL, rules TEXT NOT NULL,
    CONSTRAINT pk_key_rules PRIMARY KEY (id)
);
CREATE TABLE ticket (
    id SERIAL NOT NULL CONSTRAINT pk_ticket PRIMARY KEY AUTOINCREMENT, token_hash TEXT COLLATE "C" NOT NULL,
    kind TEXT NOT NULL, person_id INTEGER, role TEXT, issuer_id INTEGER, created BIGINT NOT NULL,
    expires BIGINT NOT NULL, mailed_to TEXT,
    CONSTRAINT uq_ticket_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_ticket_person_id FOREIGN KEY(person_id) REFERENCES person (id),
    CONSTRAINT fk_ticket_issuer_id FOREIGN KEY(issuer_id) REFERENCES person (id)
);
CREATE INDEX ix_ticket_person_id ON ticket (person_id);
CREATE INDEX ix_ticket_issuer_id ON ticket (issuer_id);
CREATE TABLE two_factor (
    person_id INTEGER NOT NULL, secret TEXT NOT NULL, begun BIGINT NOT NULL, confirmed BIGINT,
    last_step BIGINT NOT NULL,
    CONSTRAINT pk_two_factor PRIMARY KEY (person_id),
    CONSTRAINT fk_two_factor_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE TABLE recovery_code (
    person_id INTEGER NOT NULL, code_hash TEXT COLLATE "C" NOT NULL,
    CONSTRAINT pk_recovery_code PRIMARY KEY (person_id, code_hash),
    CONSTRAINT fk_recovery_code_person_id FOREIGN KEY(person_id) REFERENCES person (id)
) WITHOUT ROWID;
CREATE TABLE idea_cache (
    idea_id INTEGER NOT NULL, form INTEGER NOT NULL, pos_id INTEGER, gender_id INTEGER, "before" BYTEA, words BYTEA,
    "after" BYTEA, licence TEXT,
    CONSTRAINT pk_idea_cache PRIMARY KEY (idea_id)
);
CREATE TABLE sound_frame (
    form INTEGER NOT NULL, page INTEGER NOT NULL, version INTEGER NOT NULL, numbers BYTEA NOT NULL,
    CONSTRAINT pk_sound_frame PRIMARY KEY (form, page)
);
CREATE TABLE phrase_word (
    "key" TEXT COLLATE "C" NOT NULL, phrase_id INTEGER NOT NULL,
    CONSTRAINT pk_phrase_word PRIMARY KEY ("key", phrase_id),
    CONSTRAINT fk_phrase_word_phrase_id FOREIGN KEY(phrase_id) REFERENCES phrase (id)
) WITHOUT ROWID;
CREATE INDEX ix_phrase_word_phrase_id ON phrase_word (phrase_id);
CREATE TABLE daily_choice (
    day TEXT COLLATE "C" NOT NULL, word_id INTEGER, phrase_id INTEGER, chosen BIGINT NOT NULL,
    CONSTRAINT pk_daily_choice PRIMARY KEY (day)
) WITHOUT ROWID;
CREATE TABLE record_change (
    id SERIAL NOT NULL, version BIGINT, at BIGINT NOT NULL, kind TEXT NOT NULL, first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL, became TEXT NOT NULL,
    CONSTRAINT pk_record_change PRIMARY KEY (id)
);
CREATE INDEX ix_record_change_version_id ON record_change (version, id);
CREATE TABLE personal_token (
    id SERIAL NOT NULL CONSTRAINT pk_personal_token PRIMARY KEY AUTOINCREMENT, token_hash TEXT COLLATE "C" NOT NULL,
    person_id INTEGER NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL, created BIGINT NOT NULL,
    expires BIGINT NOT NULL, used BIGINT,
    CONSTRAINT uq_personal_token_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_personal_token_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_personal_token_person_id ON personal_token (person_id);
CREATE INDEX ix_personal_token_expires ON personal_token (expires);
CREATE TABLE confirmation (
    idea_id INTEGER NOT NULL, confirmed BIGINT NOT NULL,
    CONSTRAINT pk_confirmation PRIMARY KEY (idea_id),
    CONSTRAINT fk_confirmation_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id)
);
CREATE TABLE missing_word (
    "key" TEXT COLLATE "C" NOT NULL, text TEXT NOT NULL, searches INTEGER NOT NULL, days INTEGER NOT NULL,
    last_day INTEGER NOT NULL, left_out INTEGER NOT NULL,
    CONSTRAINT pk_missing_word PRIMARY KEY ("key")
);
CREATE TABLE photo (
    id SERIAL NOT NULL CONSTRAINT pk_photo PRIMARY KEY AUTOINCREMENT, idea_id INTEGER, person_id INTEGER,
    credit TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, submitted BIGINT NOT NULL, decided BIGINT,
    decided_by INTEGER, "key" TEXT COLLATE "C" NOT NULL, extension TEXT NOT NULL, width INTEGER NOT NULL,
    height INTEGER NOT NULL, frames INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT COLLATE "C" NOT NULL,
    likeness TEXT COLLATE "C" NOT NULL, purged BIGINT, once TEXT COLLATE "C", licence TEXT, submission_id INTEGER,
    CONSTRAINT uq_photo_key UNIQUE ("key"),
    CONSTRAINT uq_photo_once UNIQUE (once),
    CONSTRAINT fk_photo_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_photo_person_id FOREIGN KEY(person_id) REFERENCES person (id),
    CONSTRAINT fk_photo_submission_id FOREIGN KEY(submission_id) REFERENCES submission (id)
);
CREATE INDEX ix_photo_sha256 ON photo (sha256);
CREATE INDEX ix_photo_idea_id_status ON photo (idea_id, status, id);
CREATE INDEX ix_photo_status ON photo (status, id);
CREATE INDEX ix_photo_person_id ON photo (person_id, id);
CREATE INDEX ix_photo_submission_id ON photo (submission_id);
CREATE TABLE photo_band (
    band INTEGER NOT NULL, photo_id INTEGER NOT NULL,
    CONSTRAINT pk_photo_band PRIMARY KEY (band, photo_id),
    CONSTRAINT fk_photo_band_photo_id FOREIGN KEY(photo_id) REFERENCES photo (id)
) WITHOUT ROWID;
CREATE INDEX ix_photo_band_photo_id ON photo_band (photo_id);
CREATE TABLE mail_choice (
    person_id INTEGER NOT NULL, topic TEXT COLLATE "C" NOT NULL, often TEXT NOT NULL, language TEXT NOT NULL,
    secret TEXT NOT NULL, agreed BIGINT NOT NULL, due BIGINT, not_before BIGINT NOT NULL, tries INTEGER NOT NULL,
    confirmed TEXT,
    CONSTRAINT pk_mail_choice PRIMARY KEY (person_id, topic),
    CONSTRAINT fk_mail_choice_person_id FOREIGN KEY(person_id) REFERENCES person (id)
) WITHOUT ROWID;
CREATE INDEX ix_mail_choice_due ON mail_choice (due);
CREATE TABLE mail_outbox (
    id SERIAL NOT NULL CONSTRAINT pk_mail_outbox PRIMARY KEY AUTOINCREMENT, person_id INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL, record_id INTEGER NOT NULL, at BIGINT NOT NULL,
    CONSTRAINT fk_mail_outbox_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE INDEX ix_mail_outbox_person_id ON mail_outbox (person_id);
CREATE UNIQUE INDEX ix_mail_outbox_kind_record_id ON mail_outbox (kind, record_id);
CREATE TABLE recording (
    id SERIAL NOT NULL CONSTRAINT pk_recording PRIMARY KEY AUTOINCREMENT, word_id INTEGER, phrase_id INTEGER,
    idea_id INTEGER, spoken TEXT NOT NULL, language_id INTEGER NOT NULL, person_id INTEGER, speaker TEXT,
    place TEXT, status TEXT NOT NULL, reason TEXT, submitted BIGINT NOT NULL, decided BIGINT, decided_by INTEGER,
    "key" TEXT COLLATE "C" NOT NULL, extension TEXT NOT NULL, milliseconds INTEGER NOT NULL,
    clipped INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT COLLATE "C" NOT NULL,
    likeness TEXT COLLATE "C" NOT NULL, purged BIGINT, once TEXT COLLATE "C", licence TEXT,
    CONSTRAINT uq_recording_key UNIQUE ("key"),
    CONSTRAINT uq_recording_once UNIQUE (once),
    CONSTRAINT fk_recording_person_id FOREIGN KEY(person_id) REFERENCES person (id),
    CONSTRAINT fk_recording_word_id FOREIGN KEY(word_id) REFERENCES word (id),
    CONSTRAINT fk_recording_phrase_id FOREIGN KEY(phrase_id) REFERENCES phrase (id),
    CONSTRAINT fk_recording_idea_id FOREIGN KEY(idea_id) REFERENCES idea (id),
    CONSTRAINT fk_recording_language_id FOREIGN KEY(language_id) REFERENCES language (id)
);
CREATE INDEX ix_recording_sha256 ON recording (sha256);
CREATE INDEX ix_recording_word_id_status ON recording (word_id, status, id);
CREATE INDEX ix_recording_phrase_id_status ON recording (phrase_id, status, id);
CREATE INDEX ix_recording_idea_id_status ON recording (idea_id, status, id);
CREATE INDEX ix_recording_status ON recording (status, id);
CREATE INDEX ix_recording_person_id ON recording (person_id, id);
CREATE TABLE recording_band (
    band INTEGER NOT NULL, recording_id INTEGER NOT NULL,
    CONSTRAINT pk_recording_band PRIMARY KEY (band, recording_id),
    CONSTRAINT fk_recording_band_recording_id FOREIGN KEY(recording_id) REFERENCES recording (id)
) WITHOUT ROWID;
CREATE INDEX ix_recording_band_recording_id ON recording_band (recording_id);
CREATE TABLE mail_refusal (
    mailbox TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL,
    CONSTRAINT pk_mail_refusal PRIMARY KEY (mailbox)
) WITHOUT ROWID;
CREATE TABLE own_lists (
    person_id INTEGER NOT NULL, lists TEXT NOT NULL, version INTEGER NOT NULL, changed BIGINT NOT NULL,
    CONSTRAINT pk_own_lists PRIMARY KEY (person_id),
    CONSTRAINT fk_own_lists_person_id FOREIGN KEY(person_id) REFERENCES person (id)
);
CREATE TABLE lease (
    name TEXT NOT NULL, owner TEXT NOT NULL, expires BIGINT NOT NULL,
    CONSTRAINT pk_lease PRIMARY KEY (name)
);
CREATE TABLE shared_limit (
    client BIGINT NOT NULL, full_at BIGINT NOT NULL,
    CONSTRAINT pk_shared_limit PRIMARY KEY (client)
) WITHOUT ROWID;
CREATE TABLE sound_filter (
    form INTEGER NOT NULL, page INTEGER NOT NULL, version INTEGER NOT NULL, numbers BYTEA NOT NULL,
    CONSTRAINT pk_sound_filter PRIMARY KEY (form, page)
);
CREATE TABLE hidden_entry (
    history_id INTEGER NOT NULL, at BIGINT NOT NULL, reason TEXT NOT NULL,
    CONSTRAINT pk_hidden_entry PRIMARY KEY (history_id),
    CONSTRAINT fk_hidden_entry_history_id FOREIGN KEY(history_id) REFERENCES history (id)
);
CREATE TABLE word_pos (
    language_id INTEGER NOT NULL, pos_id INTEGER NOT NULL, sort_key BYTEA NOT NULL, text TEXT COLLATE "C" NOT NULL,
    word_id INTEGER NOT NULL,
    CONSTRAINT pk_word_pos PRIMARY KEY (language_id, pos_id, sort_key, text, word_id)
) WITHOUT ROWID;
CREATE TABLE completion (
    prefix TEXT COLLATE "C" NOT NULL, words BYTEA NOT NULL,
    CONSTRAINT pk_completion PRIMARY KEY (prefix)
) WITHOUT ROWID;
CREATE TABLE definition_word (
    "key" TEXT COLLATE "C" NOT NULL, idea_id INTEGER NOT NULL,
    CONSTRAINT pk_definition_word PRIMARY KEY ("key", idea_id)
) WITHOUT ROWID;
CREATE TABLE readable_word (
    form INTEGER NOT NULL, page INTEGER NOT NULL, version INTEGER NOT NULL, numbers BYTEA NOT NULL,
    CONSTRAINT pk_readable_word PRIMARY KEY (form, page)
);
