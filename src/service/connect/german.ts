// What the connect page says, in German.
import type { PageWord } from './english.ts'

export const GERMAN: Readonly<Record<PageWord, string>> = {
  connect: 'Verbinden',
  reconnect: 'Neu verbinden',
  connect_vendor: '{vendor} verbinden',
  connect_to: '{vendor} mit {app} verbinden',
  reconnect_to: '{vendor} neu mit {app} verbinden',
  the_app: 'der App',
  the_account: 'Das Konto',
  nothing_offered: 'Hier gibt es nichts zu verbinden',
  nothing_offered_advice: 'Von {app} wird hier keine Verbindung angeboten.',
  which: 'Was möchten Sie mit {app} verbinden?',
  how: 'Wählen Sie, auf welchem Weg.',
  sign_in: 'Bei {vendor} anmelden',
  sign_in_help:
    'Sie melden sich bei {vendor} an und stimmen dort zu. Ihr Passwort bleibt bei {vendor}.',
  sign_in_next:
    'Sie gehen zu {vendor}, melden sich dort an und stimmen zu. Ihr Passwort bleibt bei {vendor}.',
  allows: 'Sie werden gebeten, {app} Folgendes zu erlauben:',
  more_scopes: 'Und {count} weitere',
  where_to_find: 'Wo Sie das bei {vendor} finden',
  where_to_find_field: 'Wo Sie „{field}“ bei {vendor} finden',
  new_tab: '(öffnet sich in einem neuen Tab)',
  used_consent:
    'Ihre Zustimmung wird verwendet, um für {app} mit {vendor} zu arbeiten. Fahren Sie nur fort, wenn Sie selbst von {app} hierher gekommen sind.',
  used_nothing:
    'Die Verbindung wird verwendet, um für {app} mit {vendor} zu arbeiten. Fahren Sie nur fort, wenn Sie selbst von {app} hierher gekommen sind.',
  used_credentials:
    'Was Sie eingeben, wird vor dem Speichern verschlüsselt. Es wird verwendet, um für {app} mit {vendor} zu arbeiten. Fahren Sie nur fort, wenn Sie selbst von {app} hierher gekommen sind.',
  more_settings: 'Weitere Einstellungen',
  continue_to: 'Weiter zu {vendor}',
  going_to: 'Weiter zu {vendor} …',
  asking: '{vendor} wird gefragt …',
  optional: '(freiwillig)',
  one_needed: '(eines davon wird gebraucht)',
  another_way: 'Anderer Weg',
  choose_another: 'Etwas anderes wählen',
  choose: 'Bitte wählen …',
  left_empty: 'Ohne Eingabe gilt: {value}',
  connected: '{vendor} ist verbunden',
  connected_again: '{vendor} ist wieder verbunden',
  connected_pending:
    '{vendor} hat gerade nicht eindeutig geantwortet. Ob Ihre Angaben angenommen werden, ist noch offen; es wird erneut versucht, sobald {app} die Verbindung benutzt.',
  connected_advice: 'Sie kann jetzt von {app} benutzt werden.',
  close_window: 'Sie können dieses Fenster schließen und im anderen weitermachen.',
  close_window_again:
    'Sie können dieses Fenster schließen und es im anderen noch einmal versuchen.',
  return_to: 'Zurück zu {app}',
  cancel: 'Abbrechen',
  gone: 'Diese Verbindung gibt es nicht mehr',
  gone_advice: 'Sie wurde inzwischen gelöscht. Gehen Sie zurück zu {app} und verbinden Sie neu.',
  busy: 'Einen Moment',
  busy_advice: 'Die Verbindung wird gerade hergestellt, in diesem Fenster oder in einem anderen.',
  look_again: 'Noch einmal nachsehen',
  over: 'Dieser Link ist abgelaufen',
  over_advice:
    'Er gilt zehn Minuten und verbindet ein Konto. Gehen Sie zurück zu der App, aus der Sie kommen, und beginnen Sie neu.',
  impossible: 'Das ist nicht möglich',
  foreign_form: 'Dieses Formular wurde von einer anderen Seite gesendet.',
  foreign_connector: 'Dieser Link ist nicht für diese Verbindung.',
  service_fails: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
  unreadable_form:
    'Das Formular konnte nicht gelesen werden. Gehen Sie zurück und senden Sie es noch einmal.',
  unreachable: 'Der Dienst war nicht erreichbar. Versuchen Sie es noch einmal.',
  details: 'Einzelheiten',
  request: 'Anfrage {id}',
  new_credentials:
    'Die Verbindung „{name}“ bekommt neue Zugangsdaten. Bis sie angenommen sind, bleibt alles, wie es ist.',
  broken_connection: 'Die Verbindung „{name}“ funktioniert nicht mehr: {reason}',
  go_on_at: 'Weiter bei {vendor}',
  go_on_advice:
    'Ein Fenster von {vendor} hat sich geöffnet. Melden Sie sich dort an und stimmen Sie zu; danach geht es hier weiter.',
  start_again: 'Neu beginnen',
  unchanged: 'Bis dahin bleibt die Verbindung, wie sie ist.',

  fields: 'Etwas fehlt oder stimmt nicht',
  fields_advice: 'Berichtigen Sie, was unten markiert ist, und versuchen Sie es noch einmal.',
  away: '{vendor} antwortet nicht',
  away_advice:
    '{vendor} war nicht erreichbar oder ist gerade gestört. Warten Sie einige Minuten und versuchen Sie es noch einmal; es wurde nichts verbunden.',
  sign_in_refused: '{vendor} hat die Anmeldung abgelehnt',
  sign_in_refused_advice: 'Beginnen Sie neu und stimmen Sie innerhalb weniger Minuten zu.',
  credentials_refused: '{vendor} hat diese Zugangsdaten abgelehnt',
  credentials_refused_advice:
    'Prüfen Sie, ob sie richtig geschrieben sind und ob sie bei {vendor} noch gelten.',
  refused_one: '{vendor} hat das nicht angenommen',
  refused_of_these: 'Eine der markierten Angaben stimmt nicht:',
  forbidden: '{vendor} kennt dieses Konto, lässt es aber nicht herein',
  forbidden_advice:
    'Bitten Sie einen Administrator Ihres Kontos bei {vendor} um Zugriff auf die API, oder nehmen Sie ein anderes Konto.',
  foreign_address: 'Diese Adresse gehört nicht zu {vendor}',
  foreign_address_advice: 'Berichtigen Sie die Adresse unten. Es wurde nichts dorthin gesendet.',
  not_agreed: 'Sie haben bei {vendor} nicht zugestimmt',
  not_agreed_advice: 'Es wurde nichts verbunden. Beginnen Sie neu, wenn Sie das nicht wollten.',
  sign_in_ended: '{vendor} hat die Anmeldung beendet',
  sign_in_ended_advice:
    '{vendor} kam ohne Antwort zurück. Versuchen Sie es noch einmal; geschieht es wieder, muss vielleicht ein Administrator Ihres Kontos bei {vendor} die App erlauben.',
  not_set_up: 'Die Anmeldung bei {vendor} ist nicht eingerichtet',
  not_set_up_advice: 'Wählen Sie einen anderen Weg, oder sagen Sie {app} Bescheid.',
  sign_in_over: 'Diese Anmeldung ist abgelaufen',
  sign_in_over_advice: 'Sie hat zu lange gedauert. Beginnen Sie neu.',
  sign_in_used: 'Diese Anmeldung wurde schon benutzt',
  sign_in_used_advice: 'Beginnen Sie neu.',
  instance_gone: 'Diese Verbindung gibt es nicht mehr',
  instance_gone_advice: 'Sie wurde inzwischen gelöscht. Gehen Sie zurück zu {app}.',
  vendor_busy: '{vendor} ist überlastet',
  too_often: 'Das wurde zu oft versucht',
  too_often_advice: 'Gehen Sie zurück zu {app} und beginnen Sie neu.',
  overloaded: 'Hier ist gerade viel los',
  not_saved: 'Es kann gerade nichts gespeichert werden',
  again_advice:
    'Warten Sie einen Moment und versuchen Sie es noch einmal. Es wurde nichts verbunden.',
  failed: 'Das hat nicht geklappt',
  failed_advice:
    'Versuchen Sie es noch einmal. Geschieht es wieder, nennen Sie {app} die Nummer der Anfrage unter „Einzelheiten“.',
  no_answer: 'keine Antwort',

  must_be_given: 'Diese Angabe fehlt',
  one_of_these: 'Füllen Sie eines der markierten Felder aus',
  not_accepted: 'Das wird hier nicht angenommen: {detail}',
  possible: '{detail}; möglich: {values}',
}
