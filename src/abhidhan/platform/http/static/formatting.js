// Formats dates and numbers as the pages do. Few browsers have Assamese month names.
const MONTHS = {
  en: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
  as: ["জানুৱাৰী", "ফেব্ৰুৱাৰী", "মাৰ্চ", "এপ্ৰিল", "মে’", "জুন", "জুলাই", "আগষ্ট", "ছেপ্টেম্বৰ", "অক্টোবৰ", "নৱেম্বৰ", "ডিচেম্বৰ"],
};
const isAssamese = () => document.documentElement.lang === "as";
const padTwo = (value) => String(value).padStart(2, "0");

export const localizeDigits = (text) => (isAssamese() ? text.replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯"[digit]) : text);
export const formatNumber = (value) => localizeDigits(value.toLocaleString("en"));

export function formatDateTime(value) {
  const date = new Date(value);
  const month = MONTHS[isAssamese() ? "as" : "en"][date.getMonth()];
  return localizeDigits(`${date.getDate()} ${month}${isAssamese() ? "," : ""} ${date.getFullYear()}, ${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`);
}
